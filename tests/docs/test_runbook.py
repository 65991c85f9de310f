"""The on-call kit: every alert has a section in the runbook, and asks for metrics that the server really has."""

import re
from typing import Any

import pytest
import yaml

from services.core import metrics
from tests.docs.blocks import PAGES, ROOT

RULES: list[dict[str, Any]] = yaml.safe_load((ROOT / "deploy" / "alerts.yml").read_text())["groups"][0][
    "rules"
]


def test_every_alert_has_a_section_and_every_section_an_alert() -> None:
    sections = re.findall(r"^## (\w+)$", PAGES["docs/runbook.md"], re.MULTILINE)
    assert sections == [rule["alert"] for rule in RULES]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["alert"])
def test_an_alert_asks_for_metrics_that_there_are(rule: dict[str, Any]) -> None:
    told = metrics.exposition(dict.fromkeys(metrics.GAUGES, 0), {"wh_1": 0.0}).decode()
    there = set(re.findall(r"^# TYPE (\w+) ", told, re.MULTILINE))
    asked = set(re.findall(r"\bstele_\w+", rule["expr"]))
    assert asked <= there, asked - there
    assert asked or rule["alert"] == "SteleDown"
