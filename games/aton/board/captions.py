"""What pictures of Aton say in words, and what each fact touches."""

from collections.abc import Iterator, Mapping

from games.aton.state import Player, State, board_of
from games.pictures import Scene

WORDS = {
    "en": {
        "title": "{game}, round {round}, {moment}",
        "left": "{moment} ({left} left)",
        "round": "round {round}",
        "first": "acts first",
        "points": "{score} VP",
        "side": "{who}: {score} VP, pieces in the supply: {supply}, cards in hand: {cards}.",
        "laid": "Cartouches: {cards}.",
        "down": "Cartouches laid face down.",
        "temple": "{temple}: {counts}",
        "empty": "empty",
        "dead": "Realm of the dead: {count} of {most}.",
        "1": "points",
        "2": "order, removal",
        "3": "temples",
        "4": "placing",
        "quota": "−{number}",
        "supply": "supply",
        "no_cards": "no cards in hand",
        "deck": "deck",
        "discard": "discard",
        "exchanged": "traded",
    },
    "fr": {
        "title": "{game}, tour {round}, {moment}",
        "left": "{moment} (encore {left})",
        "round": "tour {round}",
        "first": "joue en premier",
        "points": "{score} PV",
        "side": "{who} : {score} PV, pions en réserve : {supply}, cartes en main : {cards}.",
        "laid": "Cartouches : {cards}.",
        "down": "Cartes posées face cachée.",
        "temple": "{temple} : {counts}",
        "empty": "vide",
        "dead": "Royaume des morts : {count} sur {most}.",
        "1": "points",
        "2": "ordre, retrait",
        "3": "temples",
        "4": "pose",
        "quota": "−{number}",
        "supply": "réserve",
        "no_cards": "aucune carte",
        "deck": "pioche",
        "discard": "défausse",
        "exchanged": "troquées",
    },
}

PLACES: Mapping[str, tuple[str, ...]] = {
    "hand_exchanged": ("exchanged-{seat}",),
    "cards_allocated": ("cartouches-{seat}",),
    "cartouches_revealed": ("cartouches-0", "cartouches-1"),
    "points_scored": ("score-{seat}",),
    "piece_removed": ("{space}",),
    "piece_placed": ("{space}",),
    "piece_not_placed": ("dead",),
    "piece_culled": ("{space}",),
    "temples_scored": ("score-0", "score-1"),
    "dead_returned": ("dead",),
    "deck_reshuffled": ("deck-{seat}",),
    "round_ended": ("discard-0", "discard-1"),
}


def moment(view: State, scene: Scene) -> str:
    if view.outcome:
        return scene.end(view.outcome.winners, view.outcome.reason)
    moment = scene.moment(view.to_act, scene.word(view.phase).lower())
    left = view.remaining or sum(map(sum, view.cull_quota or ()))
    return scene.say("left", WORDS, moment=moment, left=left) if left else moment


def title(view: State, scene: Scene) -> str:
    return scene.say("title", WORDS, game=scene.word("aton"), round=view.round, moment=moment(view, scene))


def description(view: State, scene: Scene) -> str:
    sentences = [sentence for player in view.players for sentence in _side(player, scene)]
    for temple, spaces in board_of(view).temples.items():
        held = [view.board[space] for space in spaces]
        counts = [f"{scene.player(seat)} ({held.count(seat)})" for seat in (0, 1) if held.count(seat)]
        sentences.append(
            scene.say(
                "temple",
                WORDS,
                temple=scene.word(f"temple_{temple}"),
                counts=scene.listed(counts) or scene.say("empty", WORDS),
            )
            + "."
        )
    dead = scene.say("dead", WORDS, count=len(view.dead), most=board_of(view).box.dead_spaces)
    return " ".join((*sentences, dead))


def _side(player: Player, scene: Scene) -> Iterator[str]:
    yield scene.say(
        "side",
        WORDS,
        who=scene.player(player.seat),
        score=player.score,
        supply=player.supply,
        cards=player.hand_count,
    )
    if player.cartouches:
        yield scene.say("laid", WORDS, cards=", ".join(map(str, player.cartouches)))
    elif player.cartouches_count:
        yield scene.say("down", WORDS)


def buried(scene: Scene) -> frozenset[str]:
    """A removed piece goes to the dead or back to its owner."""
    return frozenset("dead" for fact in scene.latest if fact.get("to") == "dead")
