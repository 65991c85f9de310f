"""Makes one script of plain ES modules: no other tool is needed, and the same modules give the same bytes.

A module becomes a function that is called once; what it exports is the value of that call, and what it imports are
constants at its beginning. That needs no parser as long as modules keep to what `_IMPORT` and `_EXPORT` know; anything
else is an error.
"""

import json
import posixpath
import re
from pathlib import Path

BANNER = "// <stele-board> of Stele, MIT licence: made of the modules of its page, see docs/front-ends.md.\n"
_IMPORT = re.compile(
    r'^import (?:(?P<names>\{[^}]*\}|\* as \w+|\w+) from )?"(?P<path>[^"]+)"(?: with \{ type: "css" \})?;\n',
    re.M,
)
_EXPORT = re.compile(r"^export (?P<rest>(?:const|class|(?:async )?function\*?) (?P<name>\w+))", re.M)
_COMMENT = re.compile(r"^ *(?://.*|/\*\*[\s\S]*?\*/)\n", re.M)
_CSS_COMMENT = re.compile(r"/\*.*?\*/\n*", re.S)
_UNKNOWN = re.compile(r"^(?:import|export)\b|\bimport\s*[.(]", re.M)


def bundled_script(root: Path, first: str) -> str:
    """One script that does what a module does, with all that it imports."""
    modules: dict[str, str] = {}
    _add(root, first, modules, ())
    return f'{BANNER}(() => {{\n"use strict";\n{"".join(modules.values())}}})();\n'


def _add(root: Path, path: str, modules: dict[str, str], importers: tuple[str, ...]) -> None:
    """Add a module after those that it needs."""
    if path in modules:
        return
    if path in importers:
        raise ValueError(f"{path} imports itself, by way of {importers[-1]}")
    text = (root / path).read_text(encoding="utf-8")
    if path.endswith(".css"):
        modules[path] = _style(path, text)
        return
    text = _COMMENT.sub("", text)
    imported = []
    for found in _IMPORT.finditer(text):
        needed = posixpath.normpath(posixpath.join(posixpath.dirname(path), found["path"]))
        _add(root, needed, modules, (*importers, path))
        if found["names"]:
            names = found["names"].removeprefix("* as ").replace(" as ", ": ")
            imported.append(f"const {names} = {_variable(needed)};\n")
    body = _IMPORT.sub("", text)
    exported = [found["name"] for found in _EXPORT.finditer(body)]
    body = _EXPORT.sub(r"\g<rest>", body)
    if unknown := _UNKNOWN.search(body):
        raise ValueError(f"{path}: {unknown[0]!r} cannot be put into one file")
    wrapped = f"{''.join(imported)}{body}return {{ {', '.join(exported)} }};\n"
    modules[path] = f"const {_variable(path)} = (() => {{\n{wrapped}}})();\n"


def _style(path: str, text: str) -> str:
    variable = _variable(path)
    rules = json.dumps(_CSS_COMMENT.sub("", text), ensure_ascii=False)
    return f"const {variable} = new CSSStyleSheet();\n{variable}.replaceSync({rules});\n"


def _variable(path: str) -> str:
    return "$" + re.sub(r"\W", "_", path)
