"""The files of `deploy/`: a dashboard of metrics that exist, units that systemd accepts, a proxy as the page shows it."""

import json
import re
import shutil
import subprocess
from itertools import combinations
from typing import Any

import pytest
import yaml

from services.core import metrics
from tests.docs.blocks import PAGES, ROOT

DEPLOY = ROOT / "deploy"
DASHBOARD: dict[str, Any] = json.loads((DEPLOY / "grafana.json").read_text())
PANELS: list[dict[str, Any]] = DASHBOARD["panels"]
UNITS = sorted((DEPLOY / "systemd").iterdir())


def samples() -> set[str]:
    """The names of all samples that /metrics can have, with those of histograms."""
    text = metrics.exposition(dict.fromkeys(metrics.GAUGES, 0), {"wh_1": 0.0}).decode()
    families = dict(re.findall(r"^# TYPE (\w+) (\w+)", text, re.MULTILINE))
    return {
        name + tail
        for name, kind in families.items()
        for tail in (("_bucket",) if kind == "histogram" else ("",))
    }


def asked(expr: str) -> set[str]:
    return set(re.findall(r"\bstele_\w+", expr))


def shown() -> set[str]:
    return {name for panel in PANELS for target in panel.get("targets", ()) for name in asked(target["expr"])}


def test_the_dashboard_shows_metrics_that_there_are() -> None:
    assert shown() <= samples(), shown() - samples()


def test_the_dashboard_shows_what_every_alert_is_about() -> None:
    rules = yaml.safe_load((DEPLOY / "alerts.yml").read_text())["groups"][0]["rules"]
    missing = {name for rule in rules for name in asked(rule["expr"])} - shown()
    assert not missing


def test_no_panel_covers_another() -> None:
    assert len({panel["id"] for panel in PANELS}) == len(PANELS)
    for one, other in combinations([panel["gridPos"] for panel in PANELS], 2):
        apart = [
            one[at] + one[size] <= other[at] or other[at] + other[size] <= one[at]
            for at, size in ("xw", "yh")
        ]
        assert any(apart), (one, other)
        assert one["x"] + one["w"] <= 24


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_says_what_it_runs_and_nothing_that_systemd_does_not_know(unit: Any) -> None:
    text = unit.read_text()
    for command in re.findall(r"^ExecStart=/opt/stele/(\S+)", text, re.MULTILINE):
        assert command == "bin/stele" or (DEPLOY / command).stat().st_mode & 0o100
    if not shutil.which("systemd-analyze"):
        return
    done = subprocess.run(
        ["systemd-analyze", "verify", unit], capture_output=True, text=True, timeout=60, check=False
    )
    wrong = [
        line
        for line in done.stderr.splitlines()
        if re.search("Unknown|Invalid|Failed to parse|Missing", line)
    ]
    assert not wrong


def test_the_page_shows_the_proxies_as_they_are_deployed() -> None:
    page = PAGES["docs/behind-a-proxy.md"]
    deployed = {line.strip() for line in (DEPLOY / "nginx.conf").read_text().splitlines()}
    block = page[page.index("map $http_upgrade") :].split("```")[0]
    assert {line.strip() for line in block.splitlines() if line.strip()} <= deployed
    for file in ("nginx.conf", "Caddyfile", "compose.tls.yaml"):
        assert f"deploy/{file}" in page


def test_the_proxy_of_compose_is_the_one_that_the_server_trusts() -> None:
    text = (DEPLOY / "compose.tls.yaml").read_text().replace("!reset []", "[]")
    added = yaml.safe_load(text)
    address = added["services"]["proxy"]["networks"]["default"]["ipv4_address"]
    assert added["services"]["api"]["environment"]["STELE_TRUSTED_PROXIES"] == address
    assert added["services"]["proxy"]["environment"]["STELE_UPSTREAM"] == "api:8000"
