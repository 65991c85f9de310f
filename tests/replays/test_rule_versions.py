"""A game keeps the rules it began with: under others it is not replayed wrongly, but not at all."""

import pytest

from events.keys import game_id
from games.kernel import Registry, UnknownRuleset
from replays.audit.audit import audit
from replays.audit.verify import read_record
from replays.record import Record, entries_of, write_record
from tests.events.logs import Log, created, game_at
from tests.replays.forging import chained
from tests.versions import BOTH, FIRST, SECOND

GAME = game_id(bytes(17))
"""The id is part of the seed: with this one the cards tell the two versions apart."""


def played(rulesets: Registry) -> Record:
    """A settled game under the newest of these rules."""
    log = Log(created(GAME, rulesets=rulesets, ruleset=rulesets.latest("lanterns")), rulesets)
    log.plays_on()
    log.settles()
    return read_record(write_record(log.record))


def verdicts(record: Record, rulesets: Registry) -> dict[str, str]:
    return {check["check"]: check["verdict"] for check in audit(record, rulesets).checks}


def test_the_two_versions_play_differently() -> None:
    old, new = played(FIRST), played(SECOND)
    reasons = [record["entries"][-1]["data"]["outcome"]["reason"] for record in (old, new)]
    assert reasons == ["rounds_played", "two_points"]
    assert len(old["entries"]) > len(new["entries"])


@pytest.mark.parametrize(("record", "version"), [(played(FIRST), 1), (played(SECOND), 2), (played(BOTH), 2)])
def test_a_record_of_either_version_audits_clean_where_both_are_known(record: Record, version: int) -> None:
    assert record["ruleset_version"] == version
    assert audit(record, BOTH).verdict == "pass"


@pytest.mark.parametrize(("record", "others"), [(played(FIRST), SECOND), (played(SECOND), FIRST)])
def test_without_its_version_a_record_is_not_judged_by_another(record: Record, others: Registry) -> None:
    audited = audit(record, others)
    assert audited.verdict == "incomplete"
    left = {name for name, verdict in verdicts(record, others).items() if verdict == "not_checked"}
    assert left == {"facts", "states", "outcome"}
    detail = next(check["detail"] for check in audited.checks if check["check"] == "facts")
    assert f"version {record['ruleset_version']} is not here" in str(detail)


@pytest.mark.parametrize(("record", "others"), [(played(FIRST), SECOND), (played(SECOND), FIRST)])
def test_without_its_version_a_game_is_not_replayed(record: Record, others: Registry) -> None:
    entries = entries_of(record)
    assert game_at(entries, 4, others).state is None
    with pytest.raises(UnknownRuleset, match="is not here"):
        game_at(entries, 5, others)


@pytest.mark.parametrize("record", [played(FIRST), played(SECOND)])
def test_a_record_that_claims_the_other_version_is_caught(record: Record) -> None:
    claimed = 3 - record["ruleset_version"]
    record = read_record(write_record(record))
    record["ruleset_version"] = record["entries"][0]["data"]["ruleset_version"] = claimed
    audited = verdicts(chained(record), BOTH)
    assert audited["facts"] == "fail"
    assert (audited["chain"], audited["schema"], audited["random"]) == ("pass", "pass", "pass")
