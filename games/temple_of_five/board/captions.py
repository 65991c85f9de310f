"""What pictures of Temple of Five say in words, and what each fact touches."""

from collections.abc import Mapping

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
        "side": "{who}: priests in reserve: {priests}; cards won: {cards}; open chains: {chains}.",
        "god": "{god}: {points} points, {incomplete} if incomplete; spaces {spaces}.",
        "free": "{value} (free)",
        "taken": "{value} ({who})",
        "none": "none",
        "no_card": "{god}: no card left",
        "slot": "slot {slot}",
        "card_space": "space {number}: {value}",
        "to": "to {who}",
        "keep": "keep",
        "points": "score {points}",
        "if_incomplete": "{points} if not full",
        "part": "part {points}",
        "no_chains": "no open chain",
        "priests": "priests",
        "chains_used": "chains used: {used} of {limit}",
        "won": "won {points}",
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
        "side": "{who} : prêtres en réserve : {priests} ; cartes remportées : {cards} ; chaînes ouvertes : {chains}.",
        "god": "{god} : {points} points, {incomplete} si la carte reste incomplète ; cases {spaces}.",
        "free": "{value} (libre)",
        "taken": "{value} ({who})",
        "none": "aucune",
        "no_card": "{god} : plus aucune carte",
        "slot": "emplacement {slot}",
        "card_space": "case {number} : {value}",
        "to": "à {who}",
        "keep": "garder",
        "points": "score {points}",
        "if_incomplete": "{points} si incomplète",
        "part": "partiel {points}",
        "no_chains": "aucune chaîne ouverte",
        "priests": "prêtres",
        "chains_used": "chaînes utilisées : {used} sur {limit}",
        "won": "acquis {points}",
        "score_completed": "cartes",
        "score_incomplete": "partiel",
        "score_bonus": "bonus",
        "score_goals": "objectifs",
        "score_total": "total",
    },
}

SLOTS: Mapping[str, Mapping[int, tuple[str, ...]]] = {
    "en": {
        1: ("top left corner", "middle of the top row", "top right corner", "middle of the left side", "centre",
            "middle of the right side", "bottom left corner", "middle of the bottom row", "bottom right corner"),
        2: ("top left corner", "top right corner", "bottom left corner", "bottom right corner"),
    },
    "fr": {
        1: ("coin supérieur gauche", "milieu du bord supérieur", "coin supérieur droit", "milieu du bord gauche", "centre",
            "milieu du bord droit", "coin inférieur gauche", "milieu du bord inférieur", "coin inférieur droit"),
        2: ("coin supérieur gauche", "coin supérieur droit", "coin inférieur gauche", "coin inférieur droit"),
    },
}  # fmt: skip
"""The places for tiles by language and level, in the words of the log."""
COLUMNS = "ABCDEFGHIJ"


def space_name(space: tuple[int, int]) -> str:
    """A space of a pyramid as the board's edge names it: its column and its row, from 1 on."""
    row, column = space
    return f"{COLUMNS[column]}{row + 1}"


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
        end, tiebreak = scene.end(view.outcome.winners, view.outcome.reason), view.outcome.tiebreak
        return f"{end} · {scene.value('tiebreak', tiebreak).lower()}" if tiebreak else end
    moment = scene.moment(view.to_act, scene.word(view.phase).lower())
    turn = view.turn_state
    if turn is None or scene.shape == "tall":
        return moment
    return scene.say("turn", WORDS, moment=moment, used=turn.chains_used, limit=turn.chain_limit)


def title(view: State, scene: Scene) -> str:
    return scene.say(
        "title", WORDS, game=scene.word("temple_of_five"), round=view.round, moment=moment(view, scene)
    )


def description(view: State, scene: Scene) -> str:
    sides = (_side(view, scene, seat) for seat in range(view.seats))
    return " ".join((*sides, *(_god(view, scene, god) for god in GODS)))


def _side(view: State, scene: Scene, seat: Seat) -> str:
    player, none = view.players[seat], scene.say("none", WORDS)
    won = [scene.word(box_of(view).cards_by_id[card].god) for card in player.completed]
    chains = [
        f"{scene.value('colour', chain.colour).lower()} {chain.length}" for chain in open_chains(player)
    ]
    return scene.say(
        "side",
        WORDS,
        who=scene.player(seat),
        priests=player.priests_reserve,
        cards=scene.listed(won) or none,
        chains=", ".join(chains) or none,
    )


def open_chains(player: Player) -> list[Chain]:
    """A player's chains on which no priest stands, the longest first."""
    return sorted((chain for chain in player.chains if not chain.closed), key=lambda each: -each.length)


def _god(view: State, scene: Scene, god: str) -> str:
    blessing = view.display.of(god)
    if blessing is None:
        return scene.say("no_card", WORDS, god=scene.word(god)) + "."
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
