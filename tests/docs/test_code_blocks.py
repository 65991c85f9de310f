"""Every command and every piece of code on the pages is run; what is shown as an answer is one."""

import json
import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import click
import pytest

from services.cli import main
from tests.clients.roles import ROLES
from tests.docs.blocks import BLOCKS, PAGES, ROOT, Block, inline
from tests.docs.world import HELD, NOT_CODE, RUNNERS, World
from tests.servers import short_directory
from tests.system import stele as system

RUNNABLE = [
    block for block in BLOCKS if block.language in RUNNERS and (block.page, block.language) not in HELD
]
BY_PAGE = {page: list(group) for page, group in groupby(RUNNABLE, key=lambda block: block.page)}
SAYS = {"README.md": ['"type":"action_taken"', '"hand":null'], "docs/auditing.md": ["chain", "logged"]}
"""What must be among that which the code of a page prints."""


@pytest.fixture(scope="module")
def server() -> Iterator[system.Stele]:
    with system.stele_up(STELE_LOG_SECONDS="1", **ROLES) as server:
        yield server


@pytest.mark.parametrize("page", BY_PAGE)
def test_the_code_of_a_page_does_what_it_says(server: system.Stele, page: str) -> None:
    with short_directory() as folder:
        world = World(server, folder)
        said = ""
        for block in BY_PAGE[page]:
            try:
                said += world.run(block)
            except AssertionError as failed:
                raise AssertionError(f"{block.place}: {failed}") from None
        assert [words for words in SAYS.get(page, []) if words not in said] == []


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("sh", "curl -s http://127.0.0.1:8000/v1/nothing\n"),
        ("sh", "stele audit nowhere.json | cat\n"),
        ("sh", "make nothing\n"),
        ("python", "from stele_client import Nobody\n"),
        ("js", "await fetch('nowhere:');\n"),
        ("http", "GET /v1/games/RUNNING_GAME_ID/record\n"),
    ],
)
def test_code_that_does_not_work_is_noticed(server: system.Stele, language: str, code: str) -> None:
    with short_directory() as folder, pytest.raises(AssertionError):
        World(server, folder).run(Block("a page", 1, language, code))


def test_every_block_says_what_language_it_is_in_and_none_that_could_run_is_left_out() -> None:
    held = {
        *HELD,
        *((block.page, block.language) for block in BLOCKS if block.language in {*RUNNERS, *NOT_CODE}),
    }
    odd = [block.place for block in BLOCKS if (block.page, block.language) not in held]
    assert odd == [], "name a language that is run (sh, python, js, http), or `text`, or `json`"
    assert {block.language for block in RUNNABLE} == {*RUNNERS}
    looks_run = re.compile(
        r"^(\$ |curl |stele |make |pip |import |from \w+ import |GET /|POST /)", re.MULTILINE
    )
    assert [
        block.place for block in BLOCKS if block.language == "text" and looks_run.search(block.code)
    ] == []


@pytest.mark.parametrize(("page", "language"), HELD)
def test_code_that_is_run_elsewhere_is_held_to_by_a_test(page: str, language: str) -> None:
    assert Path(page).name in (ROOT / HELD[page, language]).read_text(encoding="utf-8")


def test_json_on_the_pages_is_json() -> None:
    def is_json(block: Block) -> bool:
        try:
            json.loads(block.code)
        except ValueError:
            lines = [line for line in block.code.splitlines() if line.strip()]
            return all(_reads(line) for line in lines)
        return True

    assert [block.place for block in BLOCKS if block.language == "json" and not is_json(block)] == []


def _reads(line: str) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


# -- commands in the midst of sentences -----------------------------------------------------------------------------------


def test_every_command_that_a_page_names_is_there_with_its_options() -> None:
    wrong = []
    for page, text in PAGES.items():
        if page == "CHANGELOG.md":
            continue  # which tells of what was
        for code in inline(text):
            if match := re.match(r"stele ([a-z]+)\b(.*)", code):
                command = main.commands.get(match[1])
                options = re.findall(r"(?<!\S)--[a-z-]+", match[2])
                if command is None or not {*options} <= {"--help", *options_of(command)}:
                    wrong.append(f"{page}: {code}")
    assert wrong == []


def options_of(command: click.Command) -> set[str]:
    return {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}


def test_every_target_that_a_page_names_can_be_made() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = {target for text in PAGES.values() for code in inline(text) for target in targets(code)}
    assert named
    assert [target for target in named if not re.search(rf"^{target}:", makefile, re.MULTILINE)] == []


def targets(code: str) -> list[str]:
    return re.findall(r"^make ([a-z]+)$", code)
