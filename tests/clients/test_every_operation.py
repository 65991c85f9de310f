"""Every documented operation has a method in both clients, or a reason to have none."""

import re
from typing import Any

import pytest

import stele_client
from services.api.table import TABLE
from tests.clients.typescript import SOURCE

LEFT_OUT = {
    "alive": "for whoever restarts the process",
    "metrics": "for whoever watches the process",
    "show_checkpoint": "for witnesses and verifiers, which speak tlog-tiles",
    "show_tile": "for witnesses and verifiers, which speak tlog-tiles",
}
NO_SOCKET = "TypeScript follows by server-sent events, which need no more than `fetch`"
METHODS = {
    "list_rulesets": ("Stele.rulesets", "Stele.rulesets"),
    "show_ruleset": ("Stele.ruleset", "Stele.ruleset"),
    "show_guide": ("Stele.guide", "Stele.guide"),
    "show_lessons": ("Stele.lessons", "Stele.lessons"),
    "show_example_board": ("Stele.example_board", "Stele.exampleBoardAddress"),
    "create_game": ("Stele.create", "Stele.create"),
    "create_games": ("Stele.create_many", "Stele.createMany"),
    "list_games": ("Stele.games", "Stele.games"),
    "show_game": ("Game.look", "Table.look"),
    "fork_game": ("Game.fork", "Table.fork"),
    "list_forks": ("Game.forks", "Table.forks"),
    "take_seat": ("Game.sit", "Table.sit"),
    "open_seal": ("Game.open_seal", "Table.openSeal"),
    "renew_token": ("Game.renew_token", "Table.renewToken"),
    "leave_seat": ("Game.leave", "Table.leave"),
    "make_ticket": ("Game.ticket", "Table.ticket"),
    "register_for_notifications": ("Game.notify", "Table.notify"),
    "unregister_from_notifications": ("Game.stop_notifying", "Table.stopNotifying"),
    "show_push_key": ("Stele.push_key", "Stele.pushKey"),
    "legal_actions": ("Game.actions", "Table.legal"),
    "act": ("Game.act", "Table.act"),
    "check_action": ("Game.check", "Table.check"),
    "resign": ("Game.resign", "Table.resign"),
    "ask_for_hint": ("Game.ask_for_hint", "Table.askForHint"),
    "show_hint": ("Game.hint", "Table.hint"),
    "take_back": ("Game.take_back", "Table.takeBack"),
    "hand_over": ("Game.hand_over", "Table.handOver"),
    "take_over": ("Game.take_over", "Table.takeOver"),
    "add_time": ("Game.add_time", "Table.addTime"),
    "pause": ("Game.pause", "Table.pause"),
    "resume": ("Game.resume", "Table.resume"),
    "ask_for_rematch": ("Game.rematch", "Table.rematch"),
    "show_rematch": ("Game.rematch_status", "Table.rematchStatus"),
    "abort_game": ("Game.abort", "Table.abort"),
    "adjudicate": ("Game.adjudicate", "Table.adjudicate"),
    "open_socket": ("Game.frames", NO_SOCKET),
    "list_events": ("Game.follow", "Table.events"),
    "show_head": ("Game.head", "Table.head"),
    "replay": ("Game.replay", "Table.replay"),
    "replay_version": ("Game.frame", "Table.moment"),
    "board_now": ("Game.board", "Table.boardAddress"),
    "board_then": ("Game.board", "Table.boardAddress"),
    "board_now_in_pixels": ("Game.picture", "Table.pictureAddress"),
    "board_then_in_pixels": ("Game.picture", "Table.pictureAddress"),
    "oembed": ("Stele.oembed", "Stele.oembed"),
    "show_record": ("Game.record", "Table.record"),
    "show_audit": ("Game.audit", "Table.audit"),
    "show_proof": ("Game.proof", "Table.proof"),
    "audit_record": ("Stele.audit_record", "Stele.auditRecord"),
    "export_games": ("Stele.export", "Stele.export"),
    "begin_review": ("Game.begin_review", "Table.beginReview"),
    "show_review": ("Game.review", "Table.review"),
    "drop_review": ("Game.drop_review", "Table.dropReview"),
    "list_keys": ("Stele.signing_keys", "Stele.signingKeys"),
    "list_results": ("Stele.results", "Stele.results"),
    "list_standings": ("Stele.standings", "Stele.standings"),
    "list_ratings": ("Stele.ratings", "Stele.ratings"),
    "show_feed": ("Stele.feed", "Stele.feed"),
    "add_webhook": ("Stele.add_webhook", "Stele.addWebhook"),
    "list_webhooks": ("Stele.webhooks", "Stele.webhooks"),
    "remove_webhook": ("Stele.remove_webhook", "Stele.removeWebhook"),
    "test_webhook": ("Stele.test_webhook", "Stele.testWebhook"),
    "ready": ("Stele.is_ready", "Stele.isReady"),
}
"""The method of Python and that of TypeScript that calls each operation."""


def test_every_operation_has_a_method_in_both_clients_or_a_reason_to_have_none() -> None:
    assert {route.name for route in TABLE.routes if route.documented} == METHODS.keys() | LEFT_OUT.keys()
    assert not METHODS.keys() & LEFT_OUT.keys()


@pytest.mark.parametrize("kind", ["", "Async"])
def test_the_python_client_has_its_methods(kind: str) -> None:
    missing = []
    for python, _ in METHODS.values():
        owner, name = python.split(".")
        found: Any = getattr(stele_client, kind + owner)
        if not callable(getattr(found, name, None)):
            missing.append(python)
    assert not missing


def test_the_typescript_client_has_its_methods() -> None:
    sources = {name: (SOURCE / f"src/{name.lower()}.ts").read_text() for name in ("Stele", "Table")}
    missing = []
    for _, typescript in METHODS.values():
        if typescript != NO_SOCKET:
            owner, name = typescript.split(".")
            if not re.search(rf"^  (?:async )?\*?{name}(?:<.*>)?\(", sources[owner], re.MULTILINE):
                missing.append(typescript)
    assert not missing
