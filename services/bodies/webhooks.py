"""Webhooks, and what they and the feed tell."""

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import UNSET, Struct, UnsetType

from projections.host_events import HOST_EVENT_TYPES
from services.bodies.parts import NextCursor, about, choices, component


class WebhookBody(Struct, kw_only=True):
    """A receiver of events."""

    id: Annotated[str, about("Its id.")]
    host: Annotated[str | None, about("Whose games it hears of; null: all games, an operator's.")]
    url: Annotated[str, about("Where events are posted to.")]
    types: Annotated[Sequence[str], about("Of which types.")]
    tag: Annotated[str | None, about("Only of games with this tag, if there is one.")]
    created: Annotated[str, about("Since when.")]
    state: Annotated[str, choices(["active", "failing", "disabled"]), about("How it fares.")]
    reason: Annotated[str | None, about("What is wrong with it, if anything is.")]
    secret: Annotated[str | UnsetType, about("What deliveries are signed with: told here alone.")] = UNSET


class WebhooksBody(Struct, kw_only=True):
    """Your webhooks."""

    items: Annotated[Sequence[WebhookBody], about("The webhooks.")]
    next: NextCursor


class WebhookTestBody(Struct, kw_only=True):
    """A test that will be sent."""

    id: Annotated[str, about("The `webhook-id` that it will have.")]


class HappeningSeatBody(Struct, kw_only=True):
    """A seat, and whose it is."""

    seat: Annotated[int, about("Its number.")]
    ref: Annotated[str | None, about("The host's own name for the player.")]


class HappeningBody(Struct, kw_only=True):
    """What the feed tells, and a webhook posts as `data`."""

    id: Annotated[str, about("`<game>.<version>.<type>`: the same however often it is told.")]
    type: Annotated[str, choices(HOST_EVENT_TYPES), about("What happened.")]
    at: Annotated[str, about("When.")]
    game: Annotated[str, about("In which game.")]
    version: Annotated[int, about("By which entry.")]
    status: Annotated[str, about("How far the game was then.")]
    tags: Annotated[Sequence[str], about("What its host finds it by.")]
    seats: Annotated[Sequence[HappeningSeatBody], about("Who sat where.")]
    to_act: Annotated[Sequence[int], about("The seats that may act.")]
    outcome: Annotated[
        Any | UnsetType, component("Outcome"), about("How it ended: with `game_ended` and `game_settled`.")
    ] = UNSET
    rematch_of: Annotated[
        str | UnsetType, about("The game before: with the `game_created` of a rematch.")
    ] = UNSET


class DeliveryBody(Struct, kw_only=True):
    """What a webhook posts."""

    type: Annotated[
        str,
        choices(HOST_EVENT_TYPES),
        about("What happened. (A test is of the type `test`, with its id alone.)"),
    ]
    timestamp: Annotated[str, about("When.")]
    data: Annotated[HappeningBody, about("What happened.")]
