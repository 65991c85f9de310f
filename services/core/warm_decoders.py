"""Warms up every msgspec decoder before there are threads.

msgspec looks at a type when a value of it is read for the first time, and lets a second thread have what it has found while
it is still looking: two requests that were the first at the same moment ended the process (msgspec 0.22).
"""

from collections.abc import Iterator

import msgspec

from games.kernel import Registry
from projections.lists import ListPosition
from projections.ranking import Rank


def warm_decoders(rulesets: Registry) -> None:
    """Have msgspec know every type that there is: some hundreds, in some milliseconds."""
    for ruleset in rulesets:
        msgspec.json.Decoder(ruleset.facts_of_an_entry)
    for each in (ListPosition, Rank, *set(subclasses_of(msgspec.Struct))):
        msgspec.json.Decoder(each)


def subclasses_of(kind: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for each in kind.__subclasses__():
        yield each
        yield from subclasses_of(each)
