"""How the bot works in the season: what it draws, what it passes on, when it stops."""

from msgspec import UNSET

from games.kernel import Seat
from games.sa_re.actions import SaReAction, powers, season
from games.sa_re.box import Box
from games.sa_re.city import sites
from games.sa_re.end import pyramid_steps, score
from games.sa_re.legal import choices
from games.sa_re.payment import all_resources, lacking
from games.sa_re.state import Cost, Player, State, box_of
from games.sa_re.troubles import level_of

HORUS_ROOM = 2
"""With no more room than this, two cards at once are too many."""
BEARABLE = 0.15
"""How likely a card that is drawn unseen may be to bring a revolt."""


def _is_welcome(box: Box, me: Player, card: str) -> bool:
    """A card worth drawing with this much room on the gauge."""
    seen = box.cards[card]
    match seen.kind:
        case "single":
            return True
        case "double":
            return me.room > 1
        case "trouble":
            return me.room > seen.level
        case "horus":
            return me.room > HORUS_ROOM
        case "hoshekh":
            return False


def _risk(view: State, me: Player) -> float:
    """How likely the next card, unseen, is to bring a revolt: Horus brings two more, which count by half."""
    box = box_of(view)
    seen = {card.id for player in view.players for card in player.cards}
    seen.update(view.discard)
    unseen = [card for card in box.season_cards if card.id not in seen]
    harm = 0.0
    for card in unseen:
        if card.level >= me.room or (card.kind == "double" and me.room <= 1):
            harm += 1.0
        elif card.kind == "horus" and me.room <= HORUS_ROOM:
            harm += 0.5
    return harm / len(unseen)


def work(view: State, seat: Seat) -> SaReAction:
    """season.Draw what is welcome; otherwise look for something better in the Temple, or stop."""
    me, legal = view.players[seat], list(choices(view, seat))
    if season.Stop() not in legal:
        return season.Draw()
    if view.top_card is None:
        wants = _risk(view, me) <= BEARABLE
    else:
        wants = _is_welcome(box_of(view), me, view.top_card)
    if powers.UseTemple() in legal and me.room > 1 and not (wants and view.deck_face_up):
        return powers.UseTemple()
    return season.Draw() if wants else season.Stop()


def choose_card(view: State, seat: Seat) -> SaReAction:
    """The Temple's better card: the more it gives the better, Troubles last."""
    box, me = box_of(view), view.players[seat]
    offered = [action for action in choices(view, seat) if isinstance(action, powers.ChooseCard)]

    def merit(choice: powers.ChooseCard) -> tuple[bool, int, int]:
        card = box.cards[choice.card]
        return _is_welcome(box, me, choice.card), len(card.gives), -card.level

    return max(offered, key=merit)


def react(view: State, seat: Seat) -> SaReAction:
    """season.Stop on the verge of revolt."""
    return season.Stop() if view.players[seat].room <= 1 else season.Stay()


def resolve(view: State, seat: Seat) -> SaReAction:
    """Turn Troubles into jokers or lesser ones, take the small, pass the large to whoever stands nearest to revolt."""
    me, legal = view.players[seat], list(choices(view, seat))
    for power in (powers.UseLibrary, powers.UseGardens):
        turning = [action for action in legal if isinstance(action, power)]
        if turning:
            return turning[0]
    passes = [action for action in legal if isinstance(action, season.PassTrouble)]
    if passes:
        return max(passes, key=lambda each: (level_of(view, each.card), _menace(view, each.to)))
    thrown = [action for action in legal if isinstance(action, season.DiscardTrouble)]
    if thrown:
        return thrown[0]
    palace = [action for action in legal if isinstance(action, powers.UsePalace)]
    worst = max(palace, key=lambda each: _harm(view, each.card), default=None)
    if worst and _is_worth_a_palace(view, me, worst.card):
        return worst
    takes = [action for action in legal if isinstance(action, season.TakeCard)]
    return min(takes, key=lambda each: (_harm(view, each.card), each.card))


def _is_worth_a_palace(view: State, me: Player, card: str) -> bool:
    """Troubles, which bring nothing; of what brings something, only what would topple the city."""
    return level_of(view, card) > 0 or _harm(view, card) >= me.room


def _menace(view: State, seat: Seat) -> tuple[int, int, int]:
    """Who is furthest with the directive, then who stands nearest to revolt."""
    player = view.players[seat]
    return score(view, seat), pyramid_steps(player), -player.room


def _harm(view: State, card: str) -> int:
    """How far taking this card moves the gauge."""
    return 1 if box_of(view).cards[card].kind == "double" else level_of(view, card)


def wrap_up(view: State, seat: Seat) -> SaReAction:
    """Send a step of revolt to the highest gauge, trade for what the sites lack, then end the sequence."""
    legal = list(choices(view, seat))
    raids = [action for action in legal if isinstance(action, powers.UseBarracks)]
    if raids:
        return max(raids, key=lambda each: (_menace(view, each.target), -each.target))
    trades = [action for action in legal if isinstance(action, powers.UseMarket)]
    if trades:
        best = min(trades, key=lambda each: (_lacking_after(view, seat, each), each.give, each.take))
        me = view.players[seat]
        if _lacking_after(view, seat, best) < shortfall(me, all_resources(box_of(view), me)):
            return best
    return season.EndSequence()


def _lacking_after(view: State, seat: Seat, trade: powers.UseMarket) -> int:
    """What all open sites would lack after an exchange."""
    box, me = box_of(view), view.players[seat]
    means = all_resources(box, me)
    for resource in box.cards[trade.give].gives:
        means.remove(resource)
    return shortfall(me, [*means, *box.cards[trade.take].gives])


def shortfall(player: Player, means: list[str]) -> int:
    """How many resources are missing to pay for all open sites together."""
    costs = [tile.cost for _, tile in sites(player) if tile.cost is not UNSET]
    together = Cost(
        wood=sum(cost.wood for cost in costs),
        gold=sum(cost.gold for cost in costs),
        stone=sum(cost.stone for cost in costs),
        wild=sum(cost.wild for cost in costs),
    )
    return lacking(together, means)
