"""Webhooks: what happens in many games, pushed to a receiver."""

from typing import Any

import msgspec
from flask import Response, request
from werkzeug.exceptions import NotFound

from events.clocks import utc_now
from games.kernel import Refusal
from projections.happenings import TYPES
from services.api.answers import answer, private
from services.api.callers import Caller, HostCaller, OperatorCaller, turned_away
from services.api.context import context
from services.api.lists import listed
from services.api.promises import BODY, CREATED_HEADERS, IDEMPOTENCY_KEY
from services.api.requests import StrictBlueprint, bearer, idempotency, json_body
from services.api.schemas.requests import NewWebhookSchema
from services.api.schemas.webhooks import WebhookSchema, WebhooksSchema, WebhookTestSchema
from services.core.ledger import key_reused
from services.core.outbound import check_url
from services.core.webhooks import MOST, Webhook, check_of, state_of

blueprint = StrictBlueprint("webhooks", __name__, url_prefix="/v1", description="Be told of what happens.")
COMMON = ("unauthorized", "forbidden", "invalid_request", "store_unavailable")


def who_may() -> Caller:
    """The host or operator that calls."""
    caller = context().door.identify(bearer())
    if not isinstance(caller, HostCaller | OperatorCaller):
        raise turned_away(caller, "Webhooks are for hosts and operators.")
    return caller


def owner(caller: Caller) -> str | None:
    return caller.host if isinstance(caller, HostCaller) else None


@blueprint.route("/webhooks", methods=["POST"])
@blueprint.takes(IDEMPOTENCY_KEY)
@blueprint.refuses(*COMMON, *BODY, "idempotency_key_reused", "store_full", "too_many_webhooks")
@blueprint.arguments(NewWebhookSchema)
@blueprint.response(201, WebhookSchema, headers=CREATED_HEADERS)
def add_webhook(wanted: dict[str, Any]) -> Response:
    """Have what happens in your games sent to an address from now on, signed with the `secret` of the answer.

    Each event is posted at least once, in order within a game, as `{"type", "timestamp", "data": event}` after the
    Standard Webhooks scheme; `webhook-id` is the event's id. A receiver that does not answer with 2xx is tried again
    ever more seldom for a day, then disabled; one that answers 410 at once.
    """
    caller = who_may()
    idempotency(caller, json_body())
    here = context()
    try:
        check_url(wanted["url"], allow_private=here.webhooks_may_be_private)
    except ValueError as wrong:
        raise Refusal("invalid_request", f"`url` is not {wrong}.") from None
    made = Webhook(
        id=here.door.webhook_id(caller, request.headers.get("Idempotency-Key")),
        host=owner(caller),
        url=wanted["url"],
        types=tuple(kind for kind in TYPES if kind in wanted.get("types", TYPES)),
        tag=wanted.get("tag"),
        created=utc_now(),
    )
    made = msgspec.structs.replace(made, key_check=check_of(here.door.webhook_secret(made.id)))
    before = here.webhooks.get(made.id)
    if before and msgspec.structs.replace(before, created=made.created) != made:
        raise key_reused()
    if before is None:
        here.check_writable()
        if sum(webhook.host == made.host for webhook in here.webhooks.all()) >= MOST:
            raise Refusal("too_many_webhooks", f"There are {MOST} webhooks already: remove one first.")
        here.webhooks.add(made)
    webhook = before or made
    body = webhook_body(webhook) | {"secret": here.door.webhook_secret(webhook.id)}
    replayed = {"Idempotent_Replayed": "true"} if before else {}
    return answer(body, 201, Location=f"/v1/webhooks/{webhook.id}", **replayed)


@blueprint.route("/webhooks")
@blueprint.refuses(*COMMON)
@blueprint.response(200, WebhooksSchema)
def list_webhooks() -> Response:
    """Your webhooks, and how they fare."""
    caller = who_may()
    return listed(
        [webhook_body(webhook) for webhook in context().webhooks.all() if may_touch(caller, webhook)], None
    )


@blueprint.route("/webhooks/<webhook_id>", methods=["DELETE"])
@blueprint.refuses(*COMMON, "not_found")
@blueprint.response(204)
def remove_webhook(webhook_id: str) -> Response:
    """Have nothing more sent there."""
    context().webhooks.remove(own(webhook_id).id)
    return private(Response(status=204))


@blueprint.route("/webhooks/<webhook_id>/test", methods=["POST"])
@blueprint.refuses(*COMMON, *BODY, "not_found")
@blueprint.response(202, WebhookTestSchema)
def test_webhook(webhook_id: str) -> Response:
    """Have an event of type `test` sent there within some seconds."""
    json_body()
    return answer({"id": context().webhooks.ask_for_test(own(webhook_id).id)}, 202)


def own(webhook_id: str) -> Webhook:
    """A webhook that the caller may touch; others do not exist for it."""
    caller = who_may()
    webhook = context().webhooks.get(webhook_id)
    if webhook is None or not may_touch(caller, webhook):
        raise NotFound("There is no such webhook.")
    return webhook


def may_touch(caller: Caller, webhook: Webhook) -> bool:
    return isinstance(caller, OperatorCaller) or webhook.host == owner(caller)


def webhook_body(webhook: Webhook) -> dict[str, Any]:
    trouble = context().webhooks.trouble(webhook.id)
    return {
        "id": webhook.id,
        "host": webhook.host,
        "url": webhook.url,
        "types": webhook.types,
        "tag": webhook.tag,
        "created": webhook.created,
        "state": state_of(trouble),
        "reason": trouble.reason if trouble else None,
    }
