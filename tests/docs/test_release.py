"""One version everywhere."""

import json
import re
import tomllib
from importlib.metadata import version

from tests.docs.blocks import PAGES, ROOT


def test_server_clients_and_change_log_have_one_version() -> None:
    latest = re.search(r"^## (\d\S*)$", PAGES["CHANGELOG.md"], re.MULTILINE)
    assert latest
    projects = [ROOT / "pyproject.toml", ROOT / "clients/python/pyproject.toml"]
    versions = {tomllib.loads(path.read_text())["project"]["version"] for path in projects}
    versions.add(json.loads((ROOT / "clients/typescript/package.json").read_text())["version"])
    versions |= {version("stele"), version("stele-client")}
    assert versions == {latest[1]}
