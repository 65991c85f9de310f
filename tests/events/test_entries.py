"""Entries are carved once, read back as they were, and refused if anything about them is unknown."""

import hashlib
from typing import Any

import msgspec
import pytest

from events import commands, seeds
from events.canonical import canonical, parse
from events.entries import DATA_TYPES, GENESIS, Carved, Clock, MalformedEntry, carve, read_carved
from tests.events.logs import Log, call, created, named
from tests.events.puppet import PUPPETS, pull

ENTROPY = bytes(range(32))


def adjudicated() -> Carved:
    log = Log(created())
    log.is_adjudicated(1, why="The hall closes.")
    return log.latest


def taken_back() -> Carved:
    """What Lanterns does not know: a seat that acts twice in its turn."""
    log = Log(created(rulesets=PUPPETS, seats=3), PUPPETS)
    log.acts(0, pull(0))
    log.takes_back(0)
    return log.latest


def log_with_every_type() -> list[Carved]:
    """A log that has an entry of every type but an adjudication, in the place of an abort, and a take-back."""
    log = Log(
        created(sitters=(named("Ada"), named("Ben", entropy="open")), host="club", clock=Clock(60)),
        request=call(),
    )
    log.leaves(1)
    log.sits(1, named("Ben", entropy="open"))
    log.sits(2, named("Cleo", ref="c-1", entropy_commitment=seeds.seal(ENTROPY)))
    log.append(lambda batch: commands.renew_token(batch, {"operator": True}, 0))
    log.opens(2, ENTROPY)
    log.plays_on(until=lambda game: game.state.round == 2)
    log.is_handed_over(0, named("Dora"), by={"host": "club"})
    log.gets_time(0, 30)
    log.agrees_to_pause(0, 1, 2)
    log.is_resumed({"seat": 1})
    log.resigns(1)
    log.is_aborted()
    log.settles()
    return log.entries


LOG = log_with_every_type()
EACH_TYPE = {carved.entry.type: carved for carved in (*LOG, adjudicated(), taken_back())}
PERHAPS = {"terms", "takebacks", "rematch_of", "public_key", "bot_version", "signed"}
"""What an entry may carry and old ones do not."""
OLD_TYPES = {"game_created", "seat_taken", "action_taken", "seat_withdrawn"}
"""The types of entries that had fewer members by earlier terms."""
each_type = pytest.mark.parametrize("carved", EACH_TYPE.values(), ids=EACH_TYPE)


def changed(carved: Carved, **members: Any) -> bytes:
    """The bytes of an entry with members added or replaced."""
    return canonical(parse(carved.raw) | members)


def test_there_is_an_entry_of_every_type_here() -> None:
    assert set(EACH_TYPE) == set(DATA_TYPES)


@each_type
def test_the_hash_is_that_of_the_canonical_bytes(carved: Carved) -> None:
    assert carved.raw == canonical(parse(carved.raw))
    assert carved.hash == hashlib.sha256(carved.raw).hexdigest()


@each_type
def test_an_entry_read_back_is_sealed_to_the_same_bytes(carved: Carved) -> None:
    read = read_carved(carved.raw, carved.hash)
    assert type(read.data) is DATA_TYPES[read.entry.type]
    assert carve(read.entry) == read
    assert (read.raw, read.hash, read.seq) == (carved.raw, carved.hash, carved.seq)


@each_type
def test_the_envelope_has_the_members_of_the_contract_and_no_other(carved: Carved) -> None:
    assert list(parse(carved.raw)) == [
        "actor", "at", "data", "game", "prev", "req", "salt", "seq", "state", "type", "v",
    ]  # fmt: skip


@each_type
def test_an_unknown_member_is_refused_in_the_envelope_and_in_the_data(carved: Carved) -> None:
    data = parse(carved.raw)["data"]
    for wrong in (changed(carved, sig=None), changed(carved, data=data | {"sig": None})):
        with pytest.raises(MalformedEntry, match="unknown field `sig`"):
            read_carved(wrong, carved.hash)


@each_type
def test_a_missing_member_is_refused_in_the_envelope_and_in_the_data(carved: Carved) -> None:
    entry = parse(carved.raw)
    for gone in entry:
        with pytest.raises(MalformedEntry):
            read_carved(canonical({member: entry[member] for member in entry if member != gone}), carved.hash)
    for gone in entry["data"].keys() - (PERHAPS if carved.entry.type in OLD_TYPES else set()):
        rest = {member: entry["data"][member] for member in entry["data"] if member != gone}
        with pytest.raises(MalformedEntry):
            read_carved(changed(carved, data=rest), carved.hash)


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("type", "card_played"),
        ("type", None),
        ("v", 2),
        ("v", True),
        ("v", "1"),
        ("seq", "1"),
        ("seq", True),
        ("seq", None),
        ("actor", "worker"),
        ("data", []),
        ("data", None),
        ("req", {"key": "", "body": "", "of": [1]}),
        ("req", {"key": "", "body": "", "of": [1, 2], "at": 1}),
        ("salt", 7),
        ("state", 0),
    ],
)
def test_members_of_another_kind_are_refused(member: str, value: Any) -> None:
    with pytest.raises(MalformedEntry):
        read_carved(changed(EACH_TYPE["action_taken"], **{member: value}), GENESIS)


@pytest.mark.parametrize("raw", [b"", b"[]", b"null", b"{", b"\xff", b'{"type":"game_aborted"}'])
def test_what_is_no_entry_at_all_is_refused(raw: bytes) -> None:
    with pytest.raises(MalformedEntry):
        read_carved(raw, GENESIS)


def test_booleans_do_not_pass_for_integers_in_the_data() -> None:
    carved = EACH_TYPE["seat_withdrawn"]
    data = parse(carved.raw)["data"]
    with pytest.raises(MalformedEntry):
        read_carved(changed(carved, data=data | {"seat": True}), carved.hash)


def test_any_change_of_an_entry_changes_its_hash() -> None:
    entry = EACH_TYPE["action_taken"].entry
    others = [
        msgspec.structs.replace(entry, **{member: value})
        for member, value in {
            "actor": {"seat": 9},
            "at": "2026-11-16T09:30:00.000Z",
            "data": msgspec.structs.replace(entry.data, action={"type": "lay", "card": 9}),
            "game": "07-00000000000000000000000000",
            "prev": GENESIS,
            "req": LOG[0].entry.req,
            "salt": "f" * 32,
            "seq": 99,
            "state": None,
            "type": "game_started",
            "v": 2,
        }.items()
    ]
    hashes = {carve(other).hash for other in (entry, *others)}
    assert len(hashes) == 1 + len(others)


def test_every_entry_names_the_hash_of_the_one_before() -> None:
    assert [carved.entry.prev for carved in LOG] == [GENESIS, *(carved.hash for carved in LOG[:-1])]
    assert [carved.seq for carved in LOG] == list(range(1, len(LOG) + 1))


def test_every_entry_has_a_salt_of_its_own() -> None:
    assert len({carved.entry.salt for carved in LOG}) == len(LOG)
