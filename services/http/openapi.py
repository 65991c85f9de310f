"""The OpenAPI operations of a table of routes, written with apispec."""

from collections.abc import Callable, Iterable, Mapping
from http import HTTPStatus
from typing import Any

from apispec import APISpec

from services.http.routing import VARIABLE, Code, Doc, Returns, Route, Table

GIVEN_BY_ALL: tuple[Code, ...] = ((400, "malformed_header"), "busy", "internal_error")
"""Codes of problems that any route may answer with."""
PROBLEM = "application/problem+json"
REQUIRED_TEXT: Doc = {"schema": {"type": "string"}, "required": True}
HEADERS: dict[int, Doc] = {
    401: {"WWW-Authenticate": REQUIRED_TEXT},
    429: dict.fromkeys(("Retry-After", "RateLimit", "RateLimit-Policy"), REQUIRED_TEXT),
    503: {"Retry-After": {"schema": {"type": "string"}}},
}
VARIES: dict[str | None, Doc] = {
    None: {"type": "string", "minLength": 1},
    "int": {"type": "integer", "minimum": 0},
    "path": {"type": "string", "minLength": 1},
}


SchemaOf = Callable[[Any], Any]
"""Makes what apispec understands of the schema that a route names."""


def add_operations(spec: APISpec, table: Table, status_of: Mapping[str, int], schema_of: SchemaOf) -> None:
    """Write every documented route into a document; `status_of` has the statuses of problems by code."""
    for section, description in table.sections.items():
        spec.tag({"name": section, "description": description})
    by_path: dict[str, list[Route]] = {}
    for section in table.sections:
        for route in table.routes:
            if route.section == section and route.documented:
                by_path.setdefault(route.path, []).append(route)
    for path, routes in by_path.items():
        operations = {route.method.lower(): operation(route, status_of, schema_of) for route in routes}
        spec.path(
            path=VARIABLE.sub(r"{\2}", path), operations=operations, parameters=path_parameters(path) or None
        )


def path_parameters(path: str) -> list[Doc]:
    return [
        {"in": "path", "name": variable[2], "required": True, "schema": VARIES[variable[1]]}
        for variable in VARIABLE.finditer(path)
    ]


def operation(route: Route, status_of: Mapping[str, int], schema_of: SchemaOf) -> Doc:
    """What the document says of a route."""
    summary, _, more = (route.handler.__doc__ or "").partition("\n")
    refused = problems([*route.errors, *GIVEN_BY_ALL], status_of)
    responses: dict[str, Any] = {
        str(status): described_response(status, each, schema_of) for status, each in route.returns.items()
    }
    responses |= {str(status): problem_reference(status, codes) for status, codes in refused.items()}
    doc = {
        "operationId": route.name,
        "summary": summary.strip(),
        "description": "\n".join(line.strip() for line in more.strip().splitlines()),
        "tags": [route.section],
        "parameters": [{**parameter} for parameter in route.params],
        "responses": responses,
        "x-problems": {str(status): codes for status, codes in refused.items()},
    }
    if route.body:
        content = {"application/json": {"schema": schema_of(route.body.schema)}}
        doc["requestBody"] = {"required": True, "content": content}
    return doc


def described_response(status: int, returns: Returns, schema_of: SchemaOf) -> Doc:
    doc: Doc = {"description": returns.description or HTTPStatus(status).phrase}
    if returns.headers:
        doc["headers"] = {**returns.headers}
    if returns.schema is not None:
        doc["content"] = {returns.content_type: {"schema": schema_of(returns.schema)}}
        doc["content"] |= {kind: {"schema": {"type": "string"}} for kind in returns.also}
    return doc


# -- problems -----------------------------------------------------------------------------------------------------------


def problems(codes: Iterable[Code], status_of: Mapping[str, int]) -> dict[int, list[str]]:
    """Problems with these codes by status; what the rules refuse is 409."""
    by_status: dict[int, set[str]] = {}
    for each in codes:
        status, code = each if isinstance(each, tuple) else (status_of.get(each, 409), each)
        by_status.setdefault(status, set()).add(code)
    return {status: sorted(by_status[status]) for status in sorted(by_status)}


def response_name(status: int) -> str:
    """What the answers with a status are called in the document, which all routes share."""
    return HTTPStatus(status).phrase.title().replace(" ", "")


def problem_responses(statuses: Iterable[int]) -> dict[str, Doc]:
    """The answers of problems with these statuses, by name."""
    return {response_name(status): problem_response(status) for status in sorted(statuses)}


def problem_response(status: int) -> Doc:
    content = {PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    response: Doc = {"description": f"{HTTPStatus(status).phrase}: `code` says why.", "content": content}
    return response | ({"headers": HEADERS[status]} if status in HEADERS else {})


def problem_reference(status: int, codes: Iterable[str]) -> Doc:
    """A shared answer, with the codes that it may have here."""
    named = ", ".join(f"`{code}`" for code in codes)
    return {"$ref": f"#/components/responses/{response_name(status)}", "description": named}
