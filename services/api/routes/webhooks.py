"""Webhooks: what happens in many games, pushed to a receiver."""

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from events.clocks import utc_now
from games.kernel import Refusal
from projections.host_events import HOST_EVENT_TYPES
from services.api.authentication import Caller, HostCaller, OperatorCaller, denied
from services.api.context import context
from services.api.parameters import IDEMPOTENCY_KEY
from services.api.requests import bearer, idempotency, json_body, json_of
from services.api.responses import json_response, nothing
from services.api.returns import BODY, CREATED_HEADERS
from services.api.schemas.requests import NewWebhookSchema
from services.api.table import TABLE
from services.bodies.webhooks import WebhookBody, WebhooksBody, WebhookTestBody
from services.core.ledger import key_reused
from services.core.outbound_http import check_url
from services.core.webhooks import MAX_WEBHOOKS, Webhook, check_of, state_of
from services.http.messages import Response, this_request
from services.http.routing import Returns

route = TABLE.section("webhooks")
WEBHOOK_PROBLEMS = ("unauthorized", "forbidden", "invalid_request", "store_unavailable")


def who_may() -> Caller:
    """The host or operator that calls."""
    caller = context().authenticator.identify(bearer())
    if not isinstance(caller, HostCaller | OperatorCaller):
        raise denied(caller, "Webhooks are for hosts and operators.")
    return caller


def owner(caller: Caller) -> str | None:
    return caller.host if isinstance(caller, HostCaller) else None


@route(
    "POST",
    "/v1/webhooks",
    body=json_of(NewWebhookSchema),
    params=(IDEMPOTENCY_KEY,),
    returns={201: Returns(WebhookBody, headers=CREATED_HEADERS)},
    errors=(*WEBHOOK_PROBLEMS, *BODY, "idempotency_key_reused", "store_full", "too_many_webhooks"),
)
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
        id=here.authenticator.webhook_id(caller, this_request().headers.get("idempotency-key")),
        host=owner(caller),
        url=wanted["url"],
        types=tuple(kind for kind in HOST_EVENT_TYPES if kind in wanted.get("types", HOST_EVENT_TYPES)),
        tag=wanted.get("tag"),
        created=utc_now(),
    )
    made = msgspec.structs.replace(made, key_check=check_of(here.authenticator.webhook_secret(made.id)))
    before = here.webhooks.get(made.id)
    if before and msgspec.structs.replace(before, created=made.created) != made:
        raise key_reused()
    if before is None:
        here.check_writable()
        if sum(webhook.host == made.host for webhook in here.webhooks.all()) >= MAX_WEBHOOKS:
            raise Refusal(
                "too_many_webhooks", f"There are {MAX_WEBHOOKS} webhooks already: remove one first."
            )
        here.webhooks.add(made)
    webhook = before or made
    body = webhook_body(webhook, here.authenticator.webhook_secret(webhook.id))
    replayed = {"idempotent_replayed": "true"} if before else {}
    return json_response(body, 201, location=f"/v1/webhooks/{webhook.id}", **replayed)


@route("GET", "/v1/webhooks", returns={200: Returns(WebhooksBody)}, errors=WEBHOOK_PROBLEMS)
def list_webhooks() -> Response:
    """Your webhooks, and how they fare."""
    caller = who_may()
    rows = [webhook_body(webhook) for webhook in context().webhooks.all() if may_touch(caller, webhook)]
    return json_response(WebhooksBody(items=rows, next=None))


@route(
    "DELETE", "/v1/webhooks/<webhook_id>", returns={204: Returns()}, errors=(*WEBHOOK_PROBLEMS, "not_found")
)
def remove_webhook(webhook_id: str) -> Response:
    """Have nothing more sent there."""
    context().webhooks.remove(own(webhook_id).id)
    return nothing()


@route(
    "POST",
    "/v1/webhooks/<webhook_id>/test",
    returns={202: Returns(WebhookTestBody)},
    errors=(*WEBHOOK_PROBLEMS, *BODY, "not_found"),
)
def test_webhook(webhook_id: str) -> Response:
    """Have an event of type `test` sent there within some seconds."""
    json_body()
    return json_response(WebhookTestBody(id=context().webhooks.ask_for_test(own(webhook_id).id)), 202)


def own(webhook_id: str) -> Webhook:
    """A webhook that the caller may touch; others do not exist for it."""
    caller = who_may()
    webhook = context().webhooks.get(webhook_id)
    if webhook is None or not may_touch(caller, webhook):
        raise Refusal("not_found", "There is no such webhook.")
    return webhook


def may_touch(caller: Caller, webhook: Webhook) -> bool:
    return isinstance(caller, OperatorCaller) or webhook.host == owner(caller)


def webhook_body(webhook: Webhook, secret: str | UnsetType = UNSET) -> WebhookBody:
    trouble = context().webhooks.trouble(webhook.id)
    return WebhookBody(
        id=webhook.id,
        host=webhook.host,
        url=webhook.url,
        types=webhook.types,
        tag=webhook.tag,
        created=webhook.created,
        state=state_of(trouble),
        reason=trouble.reason if trouble else None,
        secret=secret,
    )
