"""What pictures of Babel say in words, and what each fact touches."""

from collections.abc import Mapping

from games.babel.state import State
from games.kernel import Seat
from games.pictures import Scene

WORDS = {
    "en": {
        "title": "{game}, turn {turn}, {moment}",
        "migrated": "migration used",
        "known": "on top: {levels}",
        "side": "{who}: total {total}, cards in hand: {cards}, pawn {place}.",
        "place": "at the {site}' site",
        "quarry": "in the quarry",
        "site": "{site}: temple {level}, column of {cards}",
        "piles": "Temple pile {temples}, nation pile {nations}, discards {discards}.",
        "level": "level {level}",
        "turn": "turn {turn}",
        "cards": "{number} cards",
        "card": "1 card",
        "run": "{number} in a row",
        "temples": "temples",
        "nations": "nations",
        "discard": "discard",
        "build": "to build",
        "start": "start",
        "held": "{number} in hand",
    },
    "fr": {
        "title": "{game}, tour {turn}, {moment}",
        "migrated": "migration faite",
        "known": "dessus : {levels}",
        "side": "{who} : total {total}, cartes en main : {cards}, pion {place}.",
        "place": "sur le chantier des {site}",
        "quarry": "dans la carrière",
        "site": "{site} : temple {level}, colonne de {cards}",
        "piles": "Pile Temple {temples}, pioche Nation {nations}, défausse {discards}.",
        "level": "niveau {level}",
        "turn": "tour {turn}",
        "cards": "{number} cartes",
        "card": "1 carte",
        "run": "{number} à la suite",
        "temples": "temples",
        "nations": "nations",
        "discard": "défausse",
        "build": "à bâtir",
        "start": "départ",
        "held": "{number} en main",
    },
}

PLACES: Mapping[str, tuple[str, ...]] = {
    "travelled": ("pawn-{seat}", "discard"),
    "deployed": ("column-{seat}-{site}",),
    "temple_built": ("temple-{seat}-{site}",),
    "migrated": ("column-{seat}-{from}", "column-{seat}-{to}"),
    "ability_used": ("discard",),
    "temple_destroyed": ("temple-{victim}-{site}", "temple-pile"),
    "level_stolen": ("temple-{victim}-{site}", "temple-{seat}-{site}"),
    "nation_expelled": ("column-{victim}-{site}", "discard"),
    "sides_changed": ("column-{victim}-{site}", "column-{seat}-{site}"),
    "discard_demanded": ("hand-{victim}",),
    "nations_discarded": ("discard",),
    "nation_pile_reshuffled": ("nation-pile",),
}
"""What each fact touches (the cards that `temples_revealed` and `nations_drawn` bring are counted)."""


def moment(view: State, scene: Scene) -> str:
    if view.outcome:
        return scene.end(view.outcome.winners, view.outcome.reason)
    doing = scene.word("discard_half" if view.pending else "actions")
    moment = scene.moment(view.to_act, doing.lower())
    return f"{moment} · {scene.word('endgame').lower()}" if view.endgame else moment


def title(view: State, scene: Scene) -> str:
    return scene.say("title", WORDS, game=scene.word("babel"), turn=view.turn, moment=moment(view, scene))


def description(view: State, scene: Scene) -> str:
    return " ".join((*(_side(view, scene, seat) for seat in (0, 1)), _piles(view, scene)))


def _side(view: State, scene: Scene, seat: Seat) -> str:
    player = view.players[seat]
    place = (
        scene.say("place", WORDS, site=scene.word(player.pawn)) if player.pawn else scene.say("quarry", WORDS)
    )
    side = scene.say(
        "side", WORDS, who=scene.player(seat), total=player.total, cards=player.hand_count, place=place
    )
    sites = [
        scene.say("site", WORDS, site=scene.word(nation), level=site.top, cards=len(site.column))
        for nation, site in player.sites.items()
        if site.temple or site.column
    ]
    return f"{side} {scene.say(';').join(sites)}." if sites else side


def _piles(view: State, scene: Scene) -> str:
    return scene.say(
        "piles",
        WORDS,
        temples=view.temple_pile_count,
        nations=view.nation_pile_count,
        discards=len(view.nation_discard),
    )
