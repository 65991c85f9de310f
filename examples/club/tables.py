"""What members do at the game server. The club is a host there: it seats its members by their refs."""

from typing import NamedTuple

from club.store import Challenge, Member, Store
from stele_client import GameRow, GameState, Player, PlayerRating, Stele, SteleError

BOT = "greedy"


class MyGame(NamedTuple):
    row: GameRow
    others: str
    is_my_turn: bool


class Tables:
    def __init__(self, stele: Stele, store: Store, host: str) -> None:
        self._stele = stele
        self._store = store
        self._host = host
        self._rulesets: dict[str, str] = {}

    def rulesets(self) -> dict[str, str]:
        """The games that can be played, and what they are called."""
        if not self._rulesets:
            found = [each["id"] for each in self._stele.rulesets()]
            self._rulesets = {id_: self._stele.ruleset(id_)["names"]["en"][id_] for id_ in found}
        return self._rulesets

    def games(self, ref: str) -> list[MyGame]:
        """A member's games, those that wait for the member first: the server's list, so the same on every device."""
        games = [my_game(row, ref) for row in self._stele.games(host=self._host, player=ref)]
        return sorted(games, key=lambda game: (not game.is_my_turn, game.row.status != "playing"))

    def start(self, challenge: Challenge, people: list[Member]) -> str:
        """The game of a challenge: the same one, however often it is started."""
        players: list[Player] = [{"name": member.name, "ref": member.ref} for member in people]
        return self._new(challenge.ruleset, players, f"challenge-{challenge.id}-{challenge.challenger}")

    def start_against_bot(self, ruleset: str, member: Member, key: str) -> str:
        return self._new(ruleset, [{"name": member.name, "ref": member.ref}, {"bot": BOT}], key)

    def _new(self, ruleset: str, players: list[Player], key: str) -> str:
        table = self._stele.create(ruleset, players, key=f"{self._host}-{key}")
        self._keep(table.state)
        return table.game.id

    def _keep(self, state: GameState) -> None:
        """Keep the tokens of members' seats: the server gives them once."""
        for seat in state.seats:
            if seat.ref and seat.token:
                self._store.keep_seat(state.id, seat.ref, seat.token)

    def token(self, game: str, ref: str) -> str | None:
        """The token of a member's seat, if the member has one: a lost one is replaced."""
        if kept := self._store.seat(game, ref):
            return kept
        state = self._stele.game(game).look()
        seat = next((each.seat for each in state.seats if each.ref == ref), None)
        if seat is None:
            return None
        token = self._stele.game(game).renew_token(seat).token
        assert token
        self._store.keep_seat(game, ref, token)
        return token

    def look(self, game: str) -> GameState:
        return self._stele.game(game).look()

    def rematch(self, game: str, ref: str) -> str | None:
        """The next game of the same table, as this member joins it; None if there is none for the member."""
        token = self.token(game, ref)
        if token is None:
            return None
        try:
            again = self._stele.game(game, token).rematch()
        except SteleError as refused:
            if refused.is_temporary:
                raise
            return None
        for player in again.players.values():
            if player.token:
                self._store.keep_seat(again.state.id, ref, player.token)
        return again.state.id

    def ratings(self, ruleset: str) -> list[PlayerRating]:
        return list(self._stele.ratings(ruleset, host=self._host))


def my_game(row: GameRow, ref: str) -> MyGame:
    mine = next((seat.seat for seat in row.seats if seat.ref == ref), None)
    others = ", ".join(seat.name or seat.bot or "an open seat" for seat in row.seats if seat.seat != mine)
    return MyGame(row, others, row.status == "playing" and mine in row.to_act)
