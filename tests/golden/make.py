"""Play the golden games that are not there yet and write them down. What is there is never written again.

    python -m tests.golden.make

Beside each record stands what its viewers saw (see `records.glimpse`).
"""

from games.canonical import canonical
from replays.record import write_record
from tests.golden import (
    of_aton,
    of_babel,
    of_sa_re,
    of_second_terms,
    of_second_versions,
    of_temple_of_five,
    of_third_terms,
)
from tests.golden.records import HERE, glimpses
from tests.golden.stories import Golden

GOLDEN: tuple[Golden, ...] = (
    *of_babel.GOLDEN,
    *of_aton.GOLDEN,
    *of_temple_of_five.GOLDEN,
    *of_sa_re.GOLDEN,
    *of_second_terms.GOLDEN,
    *of_second_versions.GOLDEN,
    *of_third_terms.GOLDEN,
)


def main() -> None:
    for golden in GOLDEN:
        path = HERE / golden.ruleset / f"{golden.name}.json"
        if not path.exists():
            log = golden.played()
            log.settles()
            path.parent.mkdir(exist_ok=True)
            path.with_suffix(".views.json").write_bytes(canonical(glimpses(log.record)))
            path.write_bytes(write_record(log.record))


if __name__ == "__main__":
    main()
