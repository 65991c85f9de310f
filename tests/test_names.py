"""A public name has one meaning: no two modules define the same one, unless the table says why.

A reader who finds `Line` in six modules has to open all six. What the table allows is the same thing twice, or two
things that never meet.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("events", "projections", "replays", "services")

STAND_ALONE = {"replays.audit.verify"}
"""Programs of one file that import nothing of ours: auditors run them as they are, so they name everything themselves."""
HANDLER_DECORATORS = {"click", "route"}
"""What marks an entry point. A route or a command is named after what it runs: `act`, `open_seal`, `replay`."""
NOT_NAMES = {"TypeVar", "ParamSpec", "getLogger"}
"""What modules make for their own use and never share: type variables, and their logger."""

JOBS = "the queue holds the name of this function: a job of an earlier release must find it"
ALLOWED = {
    # services/worker
    "review": JOBS,
    "settle": JOBS,
    # projections/registry
    "PROJECTION": "the projection that each module of the registry defines",
    # services/api and services/front
    "LANGUAGES": "the languages of the narration, and as the OpenAPI document lists them",
    "Send": "sends bytes to a client, for streams of a game and for feeds",
    "route": "the decorator of a section of the route table: each module of routes has one",
}


def made_by(value: ast.expr | None) -> str:
    """The name of what is called to make a value."""
    called = value.func if isinstance(value, ast.Call) else None
    return called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")


def is_handler(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Is this function an entry point: a route, or a command?"""
    roots = [node for decorator in function.decorator_list for node in ast.walk(decorator)]
    return any(isinstance(node, ast.Name) and node.id in HANDLER_DECORATORS for node in roots)


def defined(tree: ast.Module) -> Iterator[str]:
    """The classes, functions and constants that a module defines."""
    for node in tree.body:
        match node:
            case ast.ClassDef(name=name):
                yield name
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                if not is_handler(node):
                    yield node.name
            case ast.Assign(targets=targets, value=value) if made_by(value) not in NOT_NAMES:
                for each in targets:
                    yield from (name.id for name in ast.walk(each) if isinstance(name, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name


def modules_by_name() -> dict[str, set[str]]:
    """The modules that define each public name."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in (path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        if module not in STAND_ALONE:
            for name in defined(ast.parse(path.read_text(encoding="utf-8"))):
                if not name.startswith("_"):
                    found[name].add(module)
    return found


def test_a_public_name_is_defined_once_or_has_a_reason_to_be_defined_twice() -> None:
    several = {name: sorted(modules) for name, modules in modules_by_name().items() if len(modules) > 1}
    assert {name: modules for name, modules in several.items() if name not in ALLOWED} == {}
    assert set(ALLOWED) - set(several) == set(), "these are defined once by now: take them out of the table"


def test_a_name_that_a_second_module_defines_is_found() -> None:
    first = "log = logging.getLogger(__name__)\nT = TypeVar('T')\nA, B = 1, 2\nC: int = 3\n@click.command()\ndef up(): ...\n"
    assert list(defined(ast.parse(first))) == ["A", "B", "C"]
    assert list(defined(ast.parse("class Line: ...\n@cache\ndef read(): ...\nasync def _ask(): ...\n"))) == [
        "Line",
        "read",
        "_ask",
    ]
