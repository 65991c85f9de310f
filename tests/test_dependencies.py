"""The audit of dependencies: a vulnerability fails it, an absent network does not, and it never passes for done."""

import json
from typing import Any

import pytest

from tests import dependencies
from tests.dependencies import judge


def said(*packages: dict[str, Any]) -> str:
    return json.dumps({"dependencies": packages, "fixes": []})


FINE: dict[str, Any] = {"name": "flask", "version": "3.1.3", "vulns": []}
FAULTY: dict[str, Any] = {
    "name": "redis",
    "version": "8.1.0",
    "vulns": [{"id": "PYSEC-1", "fix_versions": ["8.1.1"], "description": "", "aliases": []}],
}
UNKNOWN: dict[str, Any] = {"name": "flask", "skip_reason": "not found on PyPI"}


def test_a_vulnerability_fails_and_is_named() -> None:
    code, lines = judge(said(FINE, FAULTY))
    assert code == 1
    assert lines[0] == "redis 8.1.0: PYSEC-1, mended in ['8.1.1']"


def test_one_that_is_excused_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(dependencies.EXCUSED, "PYSEC-1", "we never call it")
    assert judge(said(FINE, FAULTY))[0] == 0


@pytest.mark.parametrize("answer", ["", "Traceback", said(UNKNOWN)])
def test_without_the_service_it_says_that_nothing_was_audited(answer: str) -> None:
    code, lines = judge(answer)
    assert code == 0
    assert "NOTHING WAS AUDITED" in lines[0]


def test_what_was_audited_is_counted() -> None:
    assert judge(said(FINE, UNKNOWN))[1] == [
        "pip-audit: 1 packages audited, 1 unknown there, 0 vulnerabilities."
    ]
