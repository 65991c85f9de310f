"""What is wrong with JSON that came from outside, in words: where one of a few values is wanted, which they are."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import inspect

NOT_ONE_OF_THEM = re.compile(r"Invalid enum value (.*) - at `\$\.?(.*)`", re.DOTALL)
STEP = re.compile(r"[^.\[\]]+")


def complaint(error: msgspec.ValidationError, wanted: type[Any]) -> str:
    """What keeps a value from being of this type, as a sentence without its full stop."""
    wrong_value = NOT_ONE_OF_THEM.fullmatch(str(error))
    if not wrong_value:
        return str(error)
    sent, place = wrong_value.groups()
    values = _values_at(inspect.type_info(wanted), STEP.findall(place))
    return f"`{place}` is one of: {', '.join(map(str, values))}; not {sent[:64]}" if values else str(error)


def _values_at(node: inspect.Type, path: Sequence[str]) -> list[Any]:
    """The values that may stand at this place of a type, if they are few and all known."""
    match node:
        case inspect.LiteralType(values=values) if not path:
            return [*values]
        case inspect.UnionType(types=types):
            return [value for each in types for value in _values_at(each, path)]
        case inspect.StructType(fields=members) if path:
            inside = [member.type for member in members if member.encode_name == path[0]]
            return [value for each in inside for value in _values_at(each, path[1:])]
        case inspect.DictType(value_type=inner) if path:
            return _values_at(inner, path[1:])
        case inspect.ListType(item_type=inner) | inspect.VarTupleType(item_type=inner) if path:
            return _values_at(inner, path[1:])
        case inspect.TupleType(item_types=inner_types) if path:
            return _values_at(inner_types[int(path[0])], path[1:])
    return []


def nests_deeper(value: Any, levels: int) -> bool:
    """Whether objects and lists nest deeper than this; counted level by level, so that no input exhausts the stack."""
    layer = [value]
    for _ in range(levels + 1):
        layer = [
            inner
            for outer in layer
            if isinstance(outer, Mapping | list | tuple)
            for inner in (outer.values() if isinstance(outer, Mapping) else outer)
        ]
        if not layer:
            return False
    return True
