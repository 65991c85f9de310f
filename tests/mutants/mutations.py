"""Mutants of a file: in each, one operator, boundary or number is another one."""

import ast
import gc
import re
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple

import pytest

OPPOSITES: dict[type[ast.AST], type[ast.AST]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
}
IN_LUA = {
    "==": "~=",
    "~=": "==",
    " and ": " or ",
    " or ": " and ",
    " < ": " <= ",
    " > ": " >= ",
    " + ": " - ",
}
LUA_OPERATOR = re.compile("|".join(re.escape(each) for each in IN_LUA))


Operation = ast.Compare | ast.BoolOp | ast.BinOp
Branch = ast.If | ast.IfExp


class Mutant(NamedTuple):
    """One change to a file: of all that can be made there, the one with this number."""

    file: Path
    number: int
    line: int
    change: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.change}"

    def apply(self) -> None:
        """Let this process run the changed file; for a forked process, which ends with it."""
        if self.file.suffix == ".lua":
            _replace_text(self.file.resolve(), _changed_lua(self.file.read_text(), self.number))
        else:
            _replace_functions(str(self.file.resolve()), _changed_python(self.file.read_text(), self.number))


def mutants_of(file: Path) -> list[Mutant]:
    """Every mutant of a file."""
    text = file.read_text()
    if file.suffix == ".lua":
        changes = [
            (text.count("\n", 0, found.start()) + 1, f"{found[0].strip()} → {IN_LUA[found[0]].strip()}")
            for found in _lua_operators(text)
        ]
    else:
        changes = [
            (node.lineno, f"{type(old).__name__} → {OPPOSITES[type(old)].__name__}" if old else "if → if not")
            for node, _, old in _python_operators(ast.parse(text))
        ]
    return [Mutant(file, number, *change) for number, change in enumerate(changes)]


# -- Lua ------------------------------------------------------------------------------------------------------------------


def _lua_operators(text: str) -> list[re.Match[str]]:
    def in_code(found: re.Match[str]) -> bool:
        return "--" not in text[text.rfind("\n", 0, found.start()) + 1 : found.start()]

    return [found for found in LUA_OPERATOR.finditer(text) if in_code(found)]


def _changed_lua(text: str, number: int) -> str:
    found = _lua_operators(text)[number]
    return text[: found.start()] + IN_LUA[found[0]] + text[found.end() :]


def _replace_text(file: Path, text: str) -> None:
    read = Path.read_text
    pytest.MonkeyPatch().setattr(
        Path, "read_text", lambda path, *how, **more: text if path == file else read(path, *how, **more)
    )


# -- Python ---------------------------------------------------------------------------------------------------------------


def _python_operators(tree: ast.AST) -> list[tuple[Branch | Operation, int | None, ast.AST | None]]:
    """Operators and branches inside functions: where each stands, and the operator itself.

    What runs at import has run when a process is forked.
    """
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    inside = {id(node) for function in functions for line in function.body for node in ast.walk(line)}
    found: list[tuple[Branch | Operation, int | None, ast.AST | None]] = []
    for node in ast.walk(tree):
        match node:
            case _ if id(node) not in inside:
                continue
            case ast.Compare():
                found += [(node, at, each) for at, each in enumerate(node.ops)]
            case ast.BoolOp() | ast.BinOp():
                found.append((node, None, node.op))
            case ast.If() | ast.IfExp():
                found.append((node, None, None))
    return [each for each in found if each[2] is None or type(each[2]) in OPPOSITES]


def _changed_python(text: str, number: int) -> ast.Module:
    tree = ast.parse(text)
    node, at, old = _python_operators(tree)[number]
    other: Any = OPPOSITES[type(old)]() if old else None
    match node:
        case ast.Compare():
            assert at is not None
            node.ops[at] = other
        case ast.BoolOp() | ast.BinOp():
            node.op = other
        case _:
            node.test = ast.copy_location(ast.UnaryOp(ast.Not(), node.test), node.test)
    return ast.fix_missing_locations(tree)


def _replace_functions(file: str, tree: ast.Module) -> None:
    """Give every function of the file its changed code, wherever it has been imported to."""
    changed = dict(_codes(compile(tree, file, "exec")))
    for each in gc.get_objects():
        # not isinstance, which asks an object for its __class__: a proxy of a dead one raises
        if type(each) is FunctionType and each.__code__.co_filename == file:
            each.__code__ = changed[_place(each.__code__)]


def _place(code: CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno


def _codes(code: CodeType) -> Iterator[tuple[tuple[str, int], CodeType]]:
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield _place(each), each
            yield from _codes(each)
