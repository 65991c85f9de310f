"""Critical code, and for each file the tests that should notice a change in it."""

from typing import NamedTuple


class Target(NamedTuple):
    """A file whose lines are mutated, and what pytest runs for each mutant: paths and options."""

    file: str
    tests: tuple[str, ...]


EXPLAINED = {
    "self._box_of = box if callable(box) else None": "it runs at import, before a process is forked",
    "changes = zone.filled(dealt if owner == TABLE else dealt.players[owner], components)": (
        "no zone that all seats see face down asks its holder how it is filled"
    ),
}
"""Lines of which a mutant is undecided, and why: no test can tell it from the code, or the tool cannot apply it."""

ON_FAKEREDIS = ("-k", "not valkey and not cluster")

TARGETS = (
    Target("games/kernel/zones.py", ("tests/rulesets/test_zones.py", "tests/rulesets/test_views.py")),
    Target("events/show.py", ("tests/events", "tests/replays/test_frames.py", *ON_FAKEREDIS)),
    Target("events/batch.py", ("tests/events", *ON_FAKEREDIS)),
    Target("events/append.lua", ("tests/events/test_store.py", *ON_FAKEREDIS)),
    Target("events/store.py", ("tests/events/test_store.py", *ON_FAKEREDIS)),
    Target("projections/store.py", ("tests/projections", "tests/core/test_ledger.py", "-k", "not cluster")),
    Target("projections/project.lua", ("tests/projections", "-k", "not cluster")),
    Target("replays/audit/verify.py", ("tests/replays/test_verify.py", "tests/replays/test_refutations.py")),
    Target(
        "services/api/authentication.py",
        ("tests/api/test_bad_callers.py", "tests/api/test_games.py", "tests/api/test_playing.py"),
    ),
    Target("services/api/limits.py", ("tests/api/test_limits.py",)),
    Target("services/front/channels.py", ("tests/front/test_channels.py",)),
    Target("clients/python/src/stele_client/retrying.py", ("tests/clients/test_python_retries.py",)),
)
