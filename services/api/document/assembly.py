"""The whole document: the operations of the table, and what it cannot say."""

import re
from functools import cache, partial
from typing import Any

import msgspec
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter

from games.kernel import Registry
from games.members import Members
from services.api.document.games import SCHEMAS_PREFIX, Games, one_of, reference, stem
from services.api.document.operations import OPERATIONS, PATH_PARAMETERS, Told
from services.api.document.types import Schema, Types, sentence
from services.api.problems import STATUS
from services.api.table import TABLE
from services.bodies import log
from services.bodies.server import ProblemBody
from services.bodies.webhooks import DeliveryBody
from services.http.openapi import add_operations, problem_responses

DESCRIPTION = """Board games whose log is the truth. Act over HTTP, watch live, audit to the last shuffle."""

LICENSE = {"name": "MIT", "url": "https://opensource.org/license/mit"}
SERVERS = [{"url": "/", "description": "The server that this document comes from."}]
LINE_BREAK = re.compile(r"(?<!\n)\n(?!\n)")
"""One that only keeps a docstring narrow."""
NOTHING_ELSE = Members({}, {}, {}, {})
"""Structs of bodies describe themselves."""
METHODS = ("get", "put", "post", "delete")
STREAMED = {"list_events": "LiveFrame", "show_feed": "Happening"}
"""What the data of a stream is, by operation."""


@cache
def openapi_document(rulesets: Registry) -> bytes:
    """The OpenAPI document of a server with these games: written when it is first asked for, and never again."""
    return msgspec.json.encode(document(rulesets))


def document(rulesets: Registry) -> dict[str, Any]:
    """The whole document, of what the table says of the routes and of these games."""
    plugin = MarshmallowPlugin()
    info = {"description": DESCRIPTION, "license": LICENSE}
    spec = APISpec(title="Stele", version="1", openapi_version="3.1.0", info=info, plugins=[plugin])
    assert plugin.converter, "a plugin that has a document has one"
    bodies = Types(NOTHING_ELSE, body_name, SCHEMAS_PREFIX)
    add_operations(spec, TABLE, STATUS, partial(schema_of, bodies))
    register(spec)
    for kind in (ProblemBody, log.LiveFrameBody, log.EventBody, DeliveryBody, *log.DATA.values()):
        bodies.struct(kind)
    games = Games(rulesets)
    whole: dict[str, Any] = spec.to_dict()
    schemas = whole["components"]["schemas"]
    describe(schemas, plugin.converter)
    schemas |= bodies.components
    taken = schemas.keys() & games.components.keys()
    assert not taken, f"names that a game and the API both use: {sorted(taken)}"
    schemas |= games.components
    type_games(schemas, games)
    type_events(schemas)
    say_defaults(schemas)
    for item in whole["paths"].values():
        for parameter in item.get("parameters", ()):
            parameter.update(PATH_PARAMETERS[parameter["name"]])
    operations = [item[method] for item in whole["paths"].values() for method in METHODS if method in item]
    for operation in operations:
        polish(operation)
    statuses = {int(status) for operation in operations for status in operation["x-problems"]}
    whole["components"]["responses"] = problem_responses(statuses)
    whole["components"]["schemas"] = dict(sorted(schemas.items()))
    return whole


def body_name(kind: type[Any]) -> str:
    """What a struct is called in the document."""
    return kind.__name__.removesuffix("Body")


def schema_of(bodies: Types, schema: Any) -> Any:
    """What a route names: a struct by its reference, all else as it is."""
    return (
        bodies.struct(schema) if isinstance(schema, type) and issubclass(schema, msgspec.Struct) else schema
    )


def register(spec: APISpec) -> None:
    """What no route names by itself."""
    bearer = {"type": "http", "scheme": "bearer", "description": "A seat's, a host's or an operator's token."}
    spec.components.security_scheme("token", bearer)
    spec.options["servers"] = SERVERS
    spec.options["security"] = [{}, {"token": []}]
    spec.options["webhooks"] = {
        "happening": {
            "post": {
                "operationId": "receive_happening",
                "summary": "What a webhook receives.",
                "description": "Signed after the Standard Webhooks scheme; `webhook-id` is the id of the event.",
                "requestBody": {"content": {"application/json": {"schema": reference("Delivery")}}},
                "responses": {"2XX": {"description": "Received; anything else is tried again later."}},
            }
        }
    }


def describe(schemas: dict[str, Schema], converter: OpenAPIConverter) -> None:
    """Say of every component what its schema's class says of itself, and which members it refuses together."""
    for (schema, *_), name in converter.refs.items():
        if name in schemas:
            schemas[name] = {"description": sentence(schema.__doc__), **schemas[name]}
            if apart := getattr(schema, "apart", ()):
                schemas[name]["not"] = {"anyOf": [{"required": [*pair]} for pair in apart]}


# -- what depends on the game, or on the type of an event ---------------------------------------------------------------


def type_games(schemas: dict[str, Schema], games: Games) -> None:
    """A game, and what creates one, is told apart by its ruleset."""
    for ruleset in games.prefixes:
        type_by_ruleset(schemas, games, ruleset)
    for name in ("Game", "NewGame") if games.prefixes else ():
        names = {ruleset: stem(ruleset) + name for ruleset in games.prefixes}
        schemas[name] = split(schemas[name], name, "ruleset", names)


def type_by_ruleset(schemas: dict[str, Schema], games: Games, ruleset: str) -> None:
    """A game of this ruleset, and what creates one: with its own options, view and actions."""
    named = {"type": "string", "const": ruleset}
    actions = {"type": "array", "items": games.of(ruleset, "Action")}
    view = {"anyOf": [games.of(ruleset, "View"), {"type": "null"}]}
    options = games.of(ruleset, "Options")
    newest = reference(games.prefixes[ruleset][0] + "Options")
    own = {"Game": {"options": options, "view": view, "actions": actions}, "NewGame": {"options": newest}}
    for name, members in own.items():
        schemas[stem(ruleset) + name] = specialised(schemas[name], {"ruleset": named, **members})


def type_events(schemas: dict[str, Schema]) -> None:
    """An event of each type, with what it carries."""
    names = {}
    for kind in log.DATA:
        names[kind] = f"{stem(kind)}Event"
        members = {"type": {"type": "string", "const": kind}, "data": reference(stem(kind))}
        event = specialised(schemas["Event"], members)
        schemas[names[kind]] = event | {"description": schemas[stem(kind)]["description"]}
    schemas["Event"] = split(schemas["Event"], "Event", "type", names)


def specialised(schema: Schema, members: dict[str, Schema]) -> Schema:
    """An object whose members of these names are of narrower types; what is said of them stays."""
    properties = dict(schema["properties"])
    for name, member in members.items():
        properties[name] = {"description": properties[name]["description"], **member}
    return schema | {"properties": properties}


def split(schema: Schema, name: str, member: str, names: dict[str, str]) -> Schema:
    """An object that is told apart by a member."""
    mapping = {value: SCHEMAS_PREFIX + target for value, target in names.items()}
    return {"description": schema.get("description", name)} | one_of(member, mapping)


def say_defaults(schemas: dict[str, Schema]) -> None:
    """Put defaults into words: generators of types take a member with a default for one that is always there."""
    for schema in schemas.values():
        for name, member in schema.get("properties", {}).items():
            if "default" in member:
                others = {key: value for key, value in member.items() if key != "default"}
                default = msgspec.json.encode(member["default"]).decode()
                others["description"] = f"{member['description']} If left out: `{default}`."
                schema["properties"][name] = others


# -- operations -------------------------------------------------------------------------------------------------------


def polish(operation: dict[str, Any]) -> None:
    """What to know before calling it, examples, and what a stream sends."""
    name = operation["operationId"]
    told = OPERATIONS.get(name, Told())
    about = [operation.get("description", ""), told.about]
    operation["description"] = LINE_BREAK.sub(" ", "\n\n".join(text for text in about if text))
    operation["parameters"] = [
        parameter | {"example": told.query[parameter["name"]]}
        if parameter["name"] in told.query
        else parameter
        for parameter in operation.get("parameters", ())
    ]
    if told.bodies:
        (content,) = operation["requestBody"]["content"].values()
        content["examples"] = {key: {"value": body} for key, body in told.bodies.items()}
    if name in STREAMED:
        stream = operation["responses"]["200"]["content"]["text/event-stream"]
        stream["x-data-schema"] = reference(STREAMED[name])
