"""JSON Schema of the types that games and answers are made of: every struct has a name, every member a sentence.

msgspec writes schemas too, but with references that collide between games, lists that generators refuse, and members
that the server always sends marked as optional.
"""

import re
from collections.abc import Callable
from typing import Any, get_origin

import msgspec
from msgspec import inspect

from games.members import Members

Schema = dict[str, Any]
CITATION = re.compile(r"\s*\((?:Q?\d[^)]*)\)")
"""Where the specification says it, which only those who build the game look up."""
WHICH_KIND = "Which kind of thing this is."
PLAIN = {
    inspect.BoolType: "boolean",
    inspect.FloatType: "number",
    inspect.NoneType: "null",
}


class Types:
    """The schemas of some types: `components` has those of their structs, by their names."""

    def __init__(self, members: Members, name: Callable[[type[Any]], str], place: str) -> None:
        """`name` is how a class is called in the document, `place` where references look for it."""
        self.components: dict[str, Schema] = {}
        self._members = members
        self._name = name
        self._place = place

    def reference(self, name: str) -> Schema:
        return {"$ref": f"{self._place}{name}"}

    def struct(self, kind: Any, *, in_request: bool = False) -> Schema:
        """A reference to the schema of a struct; in a request, what has a default may be left out."""
        (node,) = inspect.multi_type_info([kind])
        return self._struct(node, in_request=in_request)

    def _struct(self, node: Any, *, in_request: bool = False) -> Schema:
        kind = get_origin(node.cls) or node.cls
        name = self._name(kind)
        if name not in self.components:
            self.components[name] = {}  # it may hold itself
            self.components[name] = self._described(node, kind, in_request)
        return self.reference(name)

    def _described(self, node: Any, kind: type[Any], in_request: bool) -> Schema:
        own_name = kind.__name__
        properties: dict[str, Schema] = {}
        if node.tag is not None:
            properties[node.tag_field] = {"type": "string", "const": node.tag, "description": WHICH_KIND}
        for field in node.fields:
            properties[field.encode_name] = self._member(own_name, field, in_request)
        may_lack = in_request or kind.__struct_config__.omit_defaults
        required = [
            *([node.tag_field] if node.tag is not None else []),
            *[field.encode_name for field in node.fields if field.required or not (may_lack or unset(field))],
        ]
        schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
        if required:
            schema["required"] = required
        said = self._members.structs.get(own_name) or kind.__doc__
        return ({"description": sentence(said)} if said else {}) | schema

    def _member(self, struct: str, field: inspect.Field, in_request: bool) -> Schema:
        schema = self._schema(field.type)
        if said := self._members.about(struct, field.encode_name):
            schema["description"] = said
        if refers_to := self._members.refers_to.get(f"{struct}.{field.encode_name}"):
            schema["x-refers-to"] = refers_to
        if slots := self._members.slots.get(f"{struct}.{field.encode_name}"):
            schema |= {"x-ordered": True, "x-slots": slots}
        if in_request and not field.required and not unset(field):
            made_anew = field.default is msgspec.NODEFAULT
            schema["default"] = msgspec.to_builtins(field.default_factory() if made_anew else field.default)
        return schema

    def _schema(self, node: inspect.Type) -> Schema:
        match node:
            case inspect.Metadata(type=inner, extra_json_schema=more):
                return self._schema(inner) | (more or {})
            case inspect.StructType():
                return self._struct(node)
            case inspect.UnionType(types=types):
                return either([self._schema(each) for each in types])
            case inspect.LiteralType(values=values):
                return {"type": "integer" if isinstance(values[0], int) else "string", "enum": [*values]}
            case inspect.TupleType(item_types=types):
                return self._fixed(types)
            case inspect.VarTupleType(item_type=inner) | inspect.ListType(item_type=inner):
                return {"type": "array", "items": self._schema(inner)}
            case inspect.DictType(value_type=inner):
                return {"type": "object", "additionalProperties": self._schema(inner)}
            case inspect.IntType(ge=least, le=most):
                bounds = {"minimum": least, "maximum": most}
                return {"type": "integer"} | {
                    name: bound for name, bound in bounds.items() if bound is not None
                }
            case inspect.StrType(pattern=pattern):
                return {"type": "string"} | ({"pattern": pattern} if pattern else {})
            case inspect.AnyType():
                return {}
        return {"type": PLAIN[type(node)]}

    def _fixed(self, types: tuple[inspect.Type, ...]) -> Schema:
        """A list of so many items, all of one type."""
        kinds = [self._schema(each) for each in types]
        if any(kind != kinds[0] for kind in kinds):
            raise TypeError(
                "a list whose items differ is a struct without names: no generator has a type for it"
            )
        return {"type": "array", "items": kinds[0], "minItems": len(kinds), "maxItems": len(kinds)}


def either(kinds: list[Schema]) -> Schema:
    """One of several; a plain type or nothing is written the short way."""
    null = {"type": "null"}
    others = [kind for kind in kinds if kind != null]
    if (
        null in kinds
        and len(others) == 1
        and isinstance(others[0].get("type"), str)
        and "enum" not in others[0]
    ):
        return others[0] | {"type": [others[0]["type"], "null"]}
    return {"anyOf": kinds}


def unset(field: inspect.Field) -> bool:
    """Whether a member may be left out by the server, too."""
    return not field.required and field.default is field.default_factory is msgspec.NODEFAULT


def sentence(said: str) -> str:
    """A docstring as people read it who do not have the specification."""
    return CITATION.sub("", " ".join(said.split()))
