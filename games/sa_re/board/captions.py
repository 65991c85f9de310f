"""What pictures of Sa-Ré say in words, and what each fact touches."""

from collections.abc import Mapping

from games.kernel import Seat
from games.pictures import Scene
from games.sa_re.box import TOKENS
from games.sa_re.state import Player, State

WORDS = {
    "en": {
        "title": "{game}, round {round}, {moment}",
        "side": "{who}: revolt {revolt} of {limit}, obelisk: {obelisk}; built: {built}; sites: {sites}; stock: {stock}; cards: {cards}.",
        "none": "none",
        "no_stock": "nothing",
        "no_cards": "none",
        "season": "Deck: {deck}, {how}; discard pile: {discards}.",
        "open": "face up, {top} on top",
        "empty": "empty",
        "closed": "face down",
        "sequence": "{who}: {drawn} drawn",
        "owed": "{owed} owed to Horus",
        "final": "last sequence",
        "react": "still to react:",
        "uncovered": "still to pay: {number}",
        "paid": "paid:",
        "filled": "{total} of {capacity} stored",
        "stored": "{total} stored",
        "no_capacity": "no warehouse",
        "space": "space {space}",
        "in_space": "space {space}: {what}",
        "on_bank": "space {space}, on the Nile",
        "gauge": "revolt {revolt} of {limit}",
        "scribe": "Build the pyramid.",
        "architect": "Fill all 12 spaces, with the pyramid begun.",
        "priest": "Port, pyramid and 3 administrative buildings.",
        "pharaoh": "Port, pyramid and all 6 administrative buildings.",
        "round": "Round {round}",
        "supply": "Supply",
        "sheet": "All buildings: cost and effect",
        "deck": "deck",
        "discard": "discard",
        "penalty": "launches: revolt +{penalty}",
        "score": "towards the directive: {score}",
    },
    "fr": {
        "title": "{game}, tour {round}, {moment}",
        "side": "{who} : révolte {revolt} sur {limit}, obélisque : {obelisk} ; construits : {built} ; chantiers : {sites} ; entrepôts : {stock} ; cartes : {cards}.",
        "none": "aucun",
        "no_stock": "rien",
        "no_cards": "aucune",
        "season": "Paquet : {deck}, {how} ; défausse : {discards}.",
        "open": "face visible, sur le dessus : {top}",
        "empty": "vide",
        "closed": "face cachée",
        "sequence": "{who}, cartes piochées : {drawn}",
        "owed": "dues à Horus : {owed}",
        "final": "dernière séquence",
        "react": "réaction attendue :",
        "uncovered": "reste à payer : {number}",
        "paid": "payé :",
        "filled": "stock {total}/{capacity}",
        "stored": "{total} en stock",
        "no_capacity": "aucun entrepôt",
        "space": "case {space}",
        "in_space": "case {space} : {what}",
        "on_bank": "case {space}, sur le Nil",
        "gauge": "révolte {revolt} sur {limit}",
        "scribe": "Construire la Pyramide.",
        "architect": "Remplir les 12 cases, la Pyramide étant commencée.",
        "priest": "Port, Pyramide et 3 bâtiments administratifs.",
        "pharaoh": "Port, Pyramide et les 6 bâtiments administratifs.",
        "round": "Tour {round}",
        "supply": "Bâtiments",
        "sheet": "Tous les bâtiments : coût et effet",
        "deck": "paquet",
        "discard": "défausse",
        "penalty": "chantiers : révolte +{penalty}",
        "score": "vers la directive : {score}",
    },
}

PLACES: Mapping[str, tuple[str, ...]] = {
    "building_placed": ("space-{seat}-{space}",),
    "site_launched": ("space-{seat}-{space}",),
    "site_cancelled": ("space-{seat}-{space}", "supply-{building}"),
    "site_moved": ("space-{seat}-{from}", "space-{seat}-{to}"),
    "building_demolished": ("space-{seat}-{space}", "supply-{building}"),
    "sites_ended": ("gauge-{seat}",),
    "hoshekh_appeared": ("deck", "discard"),
    "season_started": ("deck",),
    "card_drawn": ("{card}",),
    "temple_chosen": ("{card}",),
    "palace_used": ("discard", "power-{seat}-palace"),
    "gardens_used": ("{card}", "power-{seat}-gardens"),
    "library_used": ("{card}", "power-{seat}-library"),
    "temple_used": ("power-{seat}-temple",),
    "barracks_used": ("gauge-{seat}", "gauge-{target}", "power-{seat}-barracks"),
    "market_used": ("{give}", "{take}", "power-{seat}-market"),
    "card_taken": ("{card}",),
    "trouble_passed": ("gauge-{to}", "discard"),
    "trouble_discarded": ("discard",),
    "revolt_broke_out": ("gauge-{victim}", "obelisk-{victim}"),
    "obelisk_laid": ("obelisk-{seat}",),
    "work_started": ("space-{seat}-{space}", "work"),
    "source_paid": ("work",),
    "work_cancelled": ("space-{seat}-{space}",),
    "pyramid_step_completed": ("power-{seat}-pyramid",),
    "building_completed": ("space-{seat}-{space}",),
    "growth_reached": ("gauge-{seat}",),
    "caravan_chartered": ("caravans-{seat}",),
    "resource_stored": ("stock-{seat}",),
    "construction_ended": ("discard",),
}
"""What each fact touches (the gauges that a wind or Troubles raise are added)."""


def moment(view: State, scene: Scene) -> str:
    if view.outcome:
        end, tiebreak = scene.end(view.outcome.winners, view.outcome.reason), view.outcome.tiebreak
        return f"{end} · {scene.value('tiebreak', tiebreak).lower()}" if tiebreak else end
    return scene.moment(view.to_act, scene.value("decision", view.decision or view.phase).lower())


def title(view: State, scene: Scene) -> str:
    return scene.say("title", WORDS, game=scene.word("sa_re"), round=view.round, moment=moment(view, scene))


def description(view: State, scene: Scene) -> str:
    sides = [_side(player, scene, seat) for seat, player in enumerate(view.players)]
    how = scene.say("closed", WORDS)
    if view.deck_face_up:
        how = (
            scene.say("open", WORDS, top=scene.word(view.top_card))
            if view.top_card
            else scene.say("empty", WORDS)
        )
    season = scene.say("season", WORDS, deck=view.deck_count, how=how, discards=len(view.discard))
    return " ".join((*sides, season))


def _side(player: Player, scene: Scene, seat: Seat) -> str:
    none = scene.say("none", WORDS)
    tiles = [tile for tiles in player.spaces for tile in tiles]
    stock = [
        f"{player.stock.of(each)} {scene.word(each).lower()}" for each in TOKENS if player.stock.of(each)
    ]
    return scene.say(
        "side",
        WORDS,
        who=scene.player(seat),
        revolt=player.revolt,
        limit=player.revolt_limit,
        obelisk=scene.value("obelisk", player.obelisk).lower(),
        built=scene.listed([scene.word(tile.building) for tile in tiles if tile.built]) or none,
        sites=scene.listed([scene.word(tile.building) for tile in tiles if not tile.built]) or none,
        stock=", ".join(stock) or scene.say("no_stock", WORDS),
        cards=", ".join(scene.word(each.id) for each in player.cards) or scene.say("no_cards", WORDS),
    )


def raised(scene: Scene) -> frozenset[str]:
    """The gauges that the latest entry has raised by a wind or by Troubles."""
    seats: list[int] = []
    for fact in scene.latest:
        if fact["type"] == "wind_blew":
            seats += fact["seats"]
        elif fact["type"] == "card_taken" and "level" in fact:
            seats.append(fact["seat"])
    return frozenset(f"gauge-{seat}" for seat in seats)
