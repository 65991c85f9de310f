"""What pictures of Temple of Five say in words, and what each fact touches."""

from collections.abc import Iterator, Mapping

from games.kernel import Seat
from games.pictures import Scene
from games.temple_of_five.contents import GODS
from games.temple_of_five.state import Chain, Player, State, box_of

WORDS = {
    "en": {
        "title": "{game}, round {round}, {moment}",
        "turn": "{moment} ({used} of {limit} chains used)",
        "round": "round {round} of 6",
        "level": "level {level}",
        "side": "{who}: {priests} priests in reserve, cards won: {cards}.",
        "chains": "Open chains of {who}: {chains}.",
        "god": "{god}: {points} points, {incomplete} if incomplete; {spaces}.",
        "free": "{value} free",
        "taken": "{value} {who}",
        "none": "none",
        "no_card": "no card left",
        "slot": "slot {slot}",
        "card_space": "space {number}: {value}",
        "to": "to {who}",
        "keep": "keep",
        "points": "{points} points",
        "score_completed": "cards",
        "score_incomplete": "part",
        "score_bonus": "bonus",
        "score_goals": "goals",
        "score_total": "total",
    },
    "fr": {
        "title": "{game}, manche {round}, {moment}",
        "turn": "{moment} (chaînes utilisées : {used} sur {limit})",
        "round": "manche {round} sur 6",
        "level": "niveau {level}",
        "side": "{who} : {priests} prêtres en réserve, cartes gagnées : {cards}.",
        "chains": "Chaînes ouvertes de {who} : {chains}.",
        "god": "{god} : {points} points, incomplète {incomplete} ; {spaces}.",
        "free": "{value} libre",
        "taken": "{value} {who}",
        "none": "aucune",
        "no_card": "plus de carte",
        "slot": "emplacement {slot}",
        "card_space": "case {number} : {value}",
        "to": "à {who}",
        "keep": "garder",
        "points": "{points} points",
        "score_completed": "cartes",
        "score_incomplete": "partiel",
        "score_bonus": "bonus",
        "score_goals": "objectifs",
        "score_total": "total",
    },
}

PLACES: Mapping[str, tuple[str, ...]] = {
    "goal_chosen": ("goal-{seat}",),
    "goals_revealed": ("goals",),
    "tiles_dealt": ("hand-{seat}",),
    "tile_revealed": ("hand-{seat}",),
    "tile_allotted": ("hand-{seat}",),
    "exchange_chosen": ("hand-{seat}",),
    "tile_placed": ("{tile}",),
    "special_placed": ("special-{seat}",),
    "bonus_placed": ("{bonus}",),
    "chain_used": ("priest-{seat}-{priest}",),
    "bonus_drawn": ("bonus-{seat}-{size}",),
    "card_completed": ("{card}", "completed-{winner}"),
    "card_revealed": ("god-{god}",),
    "blessing_taken": ("private-{seat}",),
    "first_player_passed": ("first-player",),
    "turn_started": ("turn-{seat}",),
    "incomplete_awarded": ("card-{target}",),
    "game_ended": ("score",),
}
"""What each fact touches (the spaces of a card that `chain_used` takes are added)."""


def moment(view: State, scene: Scene) -> str:
    if view.outcome:
        return scene.end(view.outcome.winners, view.outcome.reason)
    moment = scene.moment(view.to_act, scene.word(view.phase).lower())
    turn = view.turn_state
    if turn is None:
        return moment
    return scene.say("turn", WORDS, moment=moment, used=turn.chains_used, limit=turn.chain_limit)


def title(view: State, scene: Scene) -> str:
    return scene.say(
        "title", WORDS, game=scene.word("temple_of_five"), round=view.round, moment=moment(view, scene)
    )


def description(view: State, scene: Scene) -> str:
    told = [sentence for seat in range(view.seats) for sentence in _side(view, scene, seat)]
    return " ".join((*told, *(_god(view, scene, god) for god in GODS)))


def _side(view: State, scene: Scene, seat: Seat) -> Iterator[str]:
    player, none = view.players[seat], scene.say("none", WORDS)
    won = [scene.word(box_of(view).cards_by_id[card].god) for card in player.completed]
    yield scene.say(
        "side",
        WORDS,
        who=scene.player(seat),
        priests=player.priests_reserve,
        cards=scene.listed(won) or none,
    )
    chains = [
        f"{chain.length} ({scene.word(f'{chain.colour}_decoration').lower()})"
        for chain in open_chains(player)
    ]
    yield scene.say("chains", WORDS, who=scene.player(seat), chains=", ".join(chains) or none)


def open_chains(player: Player) -> list[Chain]:
    """The longest first."""
    return sorted((chain for chain in player.chains if not chain.closed), key=lambda each: -each.length)


def _god(view: State, scene: Scene, god: str) -> str:
    blessing = view.display.of(god)
    if blessing is None:
        return f"{scene.word(god)}: {scene.say('no_card', WORDS)}."
    printed = box_of(view).cards_by_id[blessing.card]
    spaces = [
        scene.say("free", WORDS, value=value)
        if seat is None
        else scene.say("taken", WORDS, value=value, who=scene.player(seat))
        for value, seat in zip(printed.values, blessing.priests, strict=True)
    ]
    return scene.say("god", WORDS, god=scene.word(god), points=printed.points, incomplete=printed.points_incomplete,
                     spaces=", ".join(spaces))  # fmt: skip


def taken(scene: Scene) -> frozenset[str]:
    """The spaces of cards that the latest entry has put priests on."""
    return frozenset(
        f"{fact['card']}-{at}"
        for fact in scene.latest
        if fact["type"] == "chain_used"
        for at in fact["card_spaces"]
    )
