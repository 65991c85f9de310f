"""What the cards in play offer for chains on one's next turn."""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from games.kernel import Seat
from games.temple_of_five.appraisal import Priests, Stake, Use, best_two_uses, best_use, stakes_of
from games.temple_of_five.box import SHELF
from games.temple_of_five.contents import GODS
from games.temple_of_five.ground import Group
from games.temple_of_five.state import State, Target, box_of

ENOUGH_PRIESTS = 8
"""More than two chains can take on one card."""
FEW = 3
"""How many of the best chains are looked at in pairs."""

TARGETS: tuple[tuple[Target, str], ...] = tuple((god, god) for god in GODS)
"""The gods whose cards lie on display, as what priests are put on and whom they serve."""

Kind = tuple[str, int]
"""The colour (by its sign) and the length of a chain."""


class Spending(NamedTuple):
    """What spending chains is worth, and which is spent first, on which spaces."""

    worth: float
    chain: Kind
    target: Target
    spaces: tuple[int, ...]


NOTHING_TO_SPEND = Spending(0.0, ("", 0), "supreme", ())


class Offer(NamedTuple):
    """A card in play, who stands there, and what all its free spaces cost together."""

    stake: Stake
    priests: Priests
    most: int


class Offers:
    """The cards that a seat may put priests on, by the sign of the chains they serve, with so many priests at most."""

    def __init__(self, cards: Mapping[str, Mapping[Target, Offer]], reserve: int) -> None:
        self._cards, self._reserve = cards, reserve
        self._uses: dict[Kind, dict[Target, Use]] = {}
        self._for_one: dict[Kind, Spending] = {}
        self._for_two: dict[tuple[Kind, Kind], Spending] = {}

    def uses(self, chain: Kind) -> dict[Target, Use]:
        """The best use of a chain on each card, of those that bring something."""
        found = self._uses.get(chain)
        if found is None:
            sign, length = chain
            found = self._uses[chain] = {}
            for target, (stake, priests, most) in self._cards[sign].items():
                use = best_use(stake, priests, min(length, most), self._reserve)
                if use.worth > 0:
                    found[target] = use
        return found

    def for_one(self, chain: Kind) -> Spending:
        """The best use of a chain."""
        best = self._for_one.get(chain)
        if best is None:
            best = NOTHING_TO_SPEND
            for target, (worth, spaces) in self.uses(chain).items():
                if worth > best.worth:
                    best = Spending(worth, chain, target, spaces)
            self._for_one[chain] = best
        return best

    def for_two(self, one: Kind, two: Kind) -> Spending:
        """The best use of two chains, on one card or on two."""
        pair = (one, two) if one > two else (two, one)
        found = self._for_two.get(pair)
        if found is None:
            apart, together = self._on_two_cards(*pair), self._on_one_card(*pair)
            found = self._for_two[pair] = together if together.worth > apart.worth else apart
        return found

    def _on_two_cards(self, one: Kind, two: Kind) -> Spending:
        """Each chain on a card of its own, as far as the priests go; the dearer use first."""
        best = max(self.for_one(one), self.for_one(two))
        for target, use in self.uses(one).items():
            for other, second in self.uses(two).items():
                worth = use.worth + second.worth
                priests = 2 + len(use.spaces) + len(second.spaces)
                if other != target and worth > best.worth and priests <= self._reserve:
                    first = (use, one, target) if use.worth >= second.worth else (second, two, other)
                    best = Spending(worth, first[1], first[2], first[0].spaces)
        return best

    def _on_one_card(self, one: Kind, two: Kind) -> Spending:
        """Both chains on a card that serves both."""
        best, theirs = NOTHING_TO_SPEND, self._cards[two[0]]
        for target, (stake, priests, most) in self._cards[one[0]].items():
            if target in theirs and priests.count(None) > 1:
                lengths = min(one[1], most), min(two[1], most)
                worth, spaces = best_two_uses(stake, priests, lengths, self._reserve)
                if worth > best.worth:
                    best = Spending(worth, one, target, spaces)
        return best

    def for_turn(self, groups: list[Group], chains: int) -> float:
        """What the open ones of these groups would bring on a turn of so many chains."""
        kinds = [(group.sign, group.length) for group in groups if group.worth]
        ranked = sorted([(self.for_one(kind).worth, kind) for kind in kinds], reverse=True)[:FEW]
        if chains < 2 or len(ranked) < 2:
            return ranked[0][0] if ranked and chains else 0.0
        pairs = [(one, two) for place, (_, one) in enumerate(ranked) for _, two in ranked[place + 1 :]]
        return max([self.for_two(one, two).worth for one, two in pairs])


def offers_to(view: State, seat: Seat, reserve: int) -> Offers:
    """The offers to a seat as a view stands, with so many priests."""
    stakes = tuple(stakes_of(view, seat))
    private = view.players[seat].private_card
    god = box_of(view).cards_by_id[private.card].god if private else None
    return kept_offers(view.options.component_set, stakes, god, min(reserve, ENOUGH_PRIESTS))


@lru_cache(maxsize=1 << 9)
def kept_offers(
    component_set: str, stakes: tuple[tuple[Stake, Priests] | None, ...], private: str | None, reserve: int
) -> Offers:
    """While cards and terms stay the same, whatever was reckoned with them serves again."""
    cards: dict[str, dict[Target, Offer]] = {}
    for sign, colour in SHELF[component_set].box.colour_of.items():
        cards[sign] = {}
        for (target, god), found in zip([*TARGETS, ("private", private)], stakes, strict=True):
            if found is not None and god in (colour, "supreme"):
                stake, priests = found
                free = [value for value, priest in zip(stake.values, priests, strict=True) if priest is None]
                cards[sign][target] = Offer(stake, priests, sum(free))
    return Offers(cards, reserve)
