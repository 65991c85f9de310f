"""Every type that is read from JSON, looked at before there are threads.

msgspec looks at a type when a value of it is read for the first time, and lets a second thread have what it has found while
it is still looking: two requests that were the first at the same moment ended the process (msgspec 0.22).
"""

from collections.abc import Iterator

import msgspec

from games.kernel import Registry
from projections.lists import Place
from projections.standings import Rank


def look_at_all_types(rulesets: Registry) -> None:
    """Have msgspec know every type that there is: some hundreds, in some milliseconds."""
    for ruleset in rulesets:
        msgspec.json.Decoder(ruleset.facts_of_an_entry)
    for each in (Place, Rank, *set(below(msgspec.Struct))):
        msgspec.json.Decoder(each)


def below(kind: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for each in kind.__subclasses__():
        yield each
        yield from below(each)
