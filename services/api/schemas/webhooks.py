"""Webhooks, and what they and the feed tell."""

from marshmallow import fields

from projections.host_events import HOST_EVENT_TYPES
from services.api.schemas.parts import Strict, next_cursor, number, of_game, part, several, text, word


class WebhookSchema(Strict):
    """A receiver of events."""

    id = text("Its id.")
    host = text("Whose games it hears of; null: all games, an operator's.", null=True)
    url = text("Where events are posted to.")
    types = several(fields.String(), "Of which types.")
    tag = text("Only of games with this tag, if there is one.", null=True)
    created = text("Since when.")
    state = word(["active", "failing", "disabled"], "How it fares.")
    reason = text("What is wrong with it, if anything is.", null=True)
    secret = text("What deliveries are signed with: told here alone.", optional=True)


class WebhooksSchema(Strict):
    """Your webhooks."""

    items = several(WebhookSchema, "The webhooks.")
    next = next_cursor()


class WebhookTestSchema(Strict):
    """A test that will be sent."""

    id = text("The `webhook-id` that it will have.")


class HappeningSeatSchema(Strict):
    """A seat, and whose it is."""

    seat = number("Its number.")
    ref = text("The host's own name for the player.", null=True)


class HappeningSchema(Strict):
    """What the feed tells, and a webhook posts as `data`."""

    id = text("`<game>.<version>.<type>`: the same however often it is told.")
    type = word(HOST_EVENT_TYPES, "What happened.")
    at = text("When.")
    game = text("In which game.")
    version = number("By which entry.")
    status = text("How far the game was then.")
    tags = several(fields.String(), "What its host finds it by.")
    seats = several(HappeningSeatSchema, "Who sat where.")
    to_act = several(fields.Integer(), "The seats that may act.")
    outcome = of_game("Outcome", "How it ended: with `game_ended` and `game_settled`.", optional=True)


class DeliverySchema(Strict):
    """What a webhook posts."""

    type = word(HOST_EVENT_TYPES, "What happened. (A test is of the type `test`, with its id alone.)")
    timestamp = text("When.")
    data = part(HappeningSchema, "What happened.")
