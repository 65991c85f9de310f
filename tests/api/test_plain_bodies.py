"""What is read quickly is read as its schema reads it; whatever the schema refuses, it refuses."""

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from marshmallow import Schema
from marshmallow import ValidationError as Complaint

from services.api.requests import is_plain, left_out
from services.api.schemas.plain import PlainNewGame
from services.api.schemas.requests import NewGameSchema

SCHEMA: Schema = NewGameSchema()

texts = st.sampled_from(
    ["", "Ann", "x" * 64, "x" * 65, "a\n", "a\x00", "\u202e", "é" * 64, "a b", "club-7"]
) | st.text(max_size=70)
anything: st.SearchStrategy[object] = (
    st.none() | st.booleans() | st.integers(-1, 70) | texts | st.just([]) | st.just({}) | st.just({"a": None})
)
sitters = st.fixed_dictionaries(
    {},
    optional={
        "name": texts | anything,
        "ref": texts | anything,
        "bot": texts,
        "entropy": texts,
        "seat": anything,
    },
)
bodies = st.fixed_dictionaries(
    {"ruleset": texts | anything},
    optional={
        "options": anything,
        "seats": st.integers(-1, 70) | anything,
        "players": st.lists(sitters | anything, max_size=3) | anything,
        "private": anything,
        "clock": anything,
        "seed": texts,
        "position": anything,
        "tags": anything,
        "colour": anything,
    },
)


def by_schema(body: Any) -> Any:
    try:
        return SCHEMA.load(body)
    except Complaint:
        return "refused"


@given(bodies | anything)
@example({"ruleset": "babel", "players": [{"name": "Ann"}] * 65})
@example({"ruleset": "babel", "seats": True})
@example({"ruleset": "babel", "players": [{"name": "Ann", "ref": "a\n"}]})
def test_what_is_plain_is_what_the_schema_reads(body: Any) -> None:
    if is_plain(body, PlainNewGame):
        assert by_schema(body) == {**left_out(SCHEMA), **body}


@pytest.mark.parametrize(
    "body",
    [
        {"ruleset": "babel"},
        {"ruleset": "babel", "players": [{"name": "Ann"}, {"name": "Bob", "ref": "b-7"}]},
        {"ruleset": "aton", "options": {"component_set": "x"}, "seats": 2, "private": True, "players": []},
    ],
)
def test_what_most_ask_for_is_plain(body: Any) -> None:
    assert is_plain(body, PlainNewGame)
