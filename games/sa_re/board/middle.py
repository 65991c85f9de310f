"""What all share: the season in the middle, and the supply."""

from collections.abc import Iterator

from msgspec import UNSET

from games.pictures import card_back, gilt, lines, panel, part, pile, seat_mark, sign, words
from games.sa_re.board.captions import WORDS
from games.sa_re.board.stamps import SIGNS, chip, resource, season_card, stripe
from games.sa_re.board.table import PILE, SEASON, SUPPLY, Table
from games.sa_re.box import RESOURCES, Price
from games.sa_re.state import Work, WorkSequence
from games.svg import Element, Print, group, line, width_of


class Middle(Table):
    """The drawing of the season and the supply."""

    def season(self) -> Element:
        """Deck, discards and the sequence that is going on; or the work that is being paid for."""
        return part(
            panel(self.theme, SEASON),
            *(
                words(
                    self.theme,
                    SEASON.x + x,
                    SEASON.y + 15,
                    self.scene.say(key, WORDS),
                    size=14,
                    anchor="middle",
                    quiet=True,
                    width=80,
                )
                for x, key in ((50, "deck"), (134, "discard"))
            ),
            self.deck(),
            self.discard(),
            *self.sequence(),
            *self.work(),
            self.directive(),
            id="season",
        )

    def deck(
        self, at: tuple[float, float] = (SEASON.x + 20, SEASON.y + 30), size: tuple[float, float] = PILE
    ) -> Element:
        view = self.view
        latest = "deck" in self.latest
        shown = view.top_card
        top = self.face(shown, size, latest=latest) if shown else card_back(self.theme, *size, latest=latest)
        if shown and view.deck_count:
            top = part(top, id=f"card-{shown}")
        return part(
            pile(self.theme, *size, view.deck_count, top, latest=latest, size=max(16, self.scene.smallest)),
            id="deck",
            at=at,
            label=self.scene.about(self.scene.word("deck"), view.deck_count),
            actions=("draw",),
            explain="deck",
            latest=latest,
        )

    def discard(
        self, at: tuple[float, float] = (SEASON.x + 104, SEASON.y + 30), size: tuple[float, float] = PILE
    ) -> Element:
        """The last card thrown away, and the card that is out of the season."""
        view = self.view
        latest = "discard" in self.latest
        last = view.discard[-1] if view.discard else None
        top = part(self.face(last, size, latest=latest), id=f"card-{last}") if last else None
        aside = None
        if view.set_aside_count and self.scene.shape == "wide":
            aside = part(
                card_back(self.theme, 40, 56),
                at=(SEASON.x + 188, SEASON.y + 40),
                label=self.scene.about(self.scene.word("set_aside"), view.set_aside_count),
                explain="set_aside",
            )
        pile_ = part(
            pile(self.theme, *size, len(view.discard), top, latest=latest, size=max(16, self.scene.smallest)),
            id="discard",
            at=at,
            label=self.scene.about(self.scene.word("discard"), len(view.discard)),
            explain="discard",
            latest=latest,
        )
        return group(pile_, aside)

    def sequence(self) -> Iterator[Element]:
        """Whose it is, what was drawn and waits, who has still to react."""
        sequence, theme, x, y = self.view.sequence, self.theme, SEASON.x + 250, SEASON.y
        if sequence is None or self.view.phase != "season":
            return
        yield seat_mark(theme, sequence.seat, x + 10, y + 22, 18)
        yield part(
            words(theme, x + 26, y + 28, self.sequence_caption(sequence), size=17, width=400),
            explain="sequence",
            seat=sequence.seat,
        )
        at = 0
        for pending in sequence.pending:
            latest = pending.id in self.latest
            level = self.box.cards[pending.id].level if pending.level is UNSET else pending.level
            shown = self.box.cards[pending.id]
            yield part(
                Print(season_card(theme.name, shown.kind, shown.gives, level, *PILE, latest)),
                id=f"card-{pending.id}",
                at=(x + 4 + at * 68, y + 38),
                label=self.scene.word(pending.id),
                names={"card": pending.id},
                explain=self.card_key(pending.id),
                latest=latest,
            )
            at += 1
        for shown_ in sequence.temple:
            place = (x + 4 + at * 68, y + 38)
            at += 1
            if shown_.id is None:
                yield part(card_back(theme, *PILE), at=place)
                continue
            latest = shown_.id in self.latest
            yield part(
                self.face(shown_.id, PILE, latest=latest),
                id=f"card-{shown_.id}",
                at=place,
                label=self.scene.word(shown_.id),
                names={"card": shown_.id},
                explain=self.card_key(shown_.id),
                latest=latest,
            )
        if self.view.reactions:
            caption = self.scene.say("react", WORDS)
            left = x + 10 + at * 68
            yield words(theme, left, y + 86, caption, size=16, quiet=True)
            for place_, seat in enumerate(self.view.reactions):
                yield seat_mark(theme, seat, left + width_of(caption) * 15 + 14 + place_ * 28, y + 80, 20)

    def sequence_caption(self, sequence: WorkSequence) -> str:
        """Whose sequence it is, how many cards it has had, and what is still to come."""
        captions = [
            self.scene.say("sequence", WORDS, who=self.scene.player(sequence.seat), drawn=sequence.drawn)
        ]
        captions += [self.scene.say("owed", WORDS, owed=sequence.owed)] if sequence.owed else []
        captions += [self.scene.say("final", WORDS)] if sequence.final else []
        return " · ".join(captions)

    def work_name(self, work: Work) -> tuple[str, str]:
        """What is being paid for, and its sign."""
        if work.space is None:
            return self.scene.word("caravan"), SIGNS["caravan"]
        site = next(tile for tile in self.view.players[work.seat].spaces[work.space] if not tile.built)
        return self.scene.word(site.building), SIGNS[site.building]

    def card_back(self, size: tuple[float, float]) -> Element:
        return card_back(self.theme, *size)

    def work(self) -> Iterator[Element]:
        """What is being paid for, what was paid, what is lacking."""
        work, theme, x, y = self.view.work, self.theme, SEASON.x + 250, SEASON.y
        if work is None or self.view.phase != "construction":
            return
        name, mark = self.work_name(work)
        latest = "work" in self.latest
        gives = [name_ for payment in work.paid for name_ in payment.gives]
        yield part(
            gilt(theme, x, y + 10, 420, 110) if latest else None,
            seat_mark(theme, work.seat, x + 16, y + 32, 18),
            sign(mark, x + 48, y + 32, 28, theme.text),
            words(theme, x + 70, y + 38, name, size=18, bold=True, width=160),
            words(theme, x + 408, y + 38, self.scene.say("uncovered", WORDS, number=work.uncovered), size=16, anchor="end", width=180),
            words(theme, x + 8, y + 88, self.scene.say("paid", WORDS), size=16, quiet=True),
            *(
                Print(resource(theme.name, name_, 28), x=x + 70 + at * min(36, 340 / max(1, len(gives))), y=y + 82)
                for at, name_ in enumerate(gives)
            ),
            id="work",
            explain="work",
            seat=work.seat,
            latest=latest,
        )  # fmt: skip

    def directive(self) -> Element:
        """The round, and what the game is won with."""
        view, theme, x = self.view, self.theme, SEASON.x + 700
        return part(
            line(x, SEASON.y + 14, x, SEASON.y + SEASON.height - 14, stroke=theme.line),
            words(theme, x + 18, SEASON.y + 32, self.scene.say("round", WORDS, round=view.round), size=20, serif=True, bold=True),
            words(theme, x + 18, SEASON.y + 54, self.scene.word(view.phase), size=16, width=226),
            words(theme, x + 18, SEASON.y + 82, self.scene.word(view.options.mode), size=16, bold=True),
            lines(theme, x + 18, SEASON.y + 101, self.scene.say(view.options.mode, WORDS), 232, size=14, quiet=True),
            id="directive",
            explain="directive",
        )  # fmt: skip

    # -- the supply -----------------------------------------------------------------------------------------------------

    def supply(self) -> Element:
        """A sheet: every building with what it costs and how many are left; of the pyramids the next one's first step."""
        theme, zone = self.theme, SUPPLY
        columns = [
            Print(resource(theme.name, name, 19), x=zone.x + 186 + at * 32, y=zone.y + 20)
            for at, name in enumerate(RESOURCES)
        ]
        rows = [
            self.supplied(at, name, self.box.buildings[name].cost, self.view.supply[name])
            for at, name in enumerate(name for name in self.box.buildings if name != "pyramid")
        ]
        pyramids = self.view.pyramids
        first = self.box.pyramid(pyramids[0]).steps[0] if pyramids else None
        return part(
            panel(theme, zone),
            words(theme, zone.x + 12, zone.y + 26, self.scene.say("supply", WORDS), size=18, serif=True, bold=True, width=150),
            *columns,
            *rows,
            self.supplied(len(rows), "pyramid", first, len(pyramids)),
            id="supply",
        )  # fmt: skip

    def supply_key(self, building: str) -> str:
        """The thing of the guide that explains what the supply has next."""
        next_ = self.view.pyramids[:1] if building == "pyramid" else ()
        return f"pyramid_{next_[0]}" if next_ else building

    def supplied(self, at: int, building: str, cost: Price | None, left: int) -> Element:
        theme, y = self.theme, SUPPLY.y + 54 + at * 30
        latest = f"supply-{building}" in self.latest
        hue = theme.hues[self.hue_name(building)] if left else theme.line
        name = self.scene.word(building)
        if building == "pyramid" and self.view.pyramids:
            number = self.view.pyramids[0]
            name = f"{name} {number} (1/{len(self.box.pyramid(number).steps)})"
        chips = [
            Print(chip(theme.name, each, str(getattr(cost, each)), 20), x=166 + place * 32)
            for place, each in enumerate(RESOURCES)
            if cost and getattr(cost, each)
        ]
        return part(
            gilt(theme, -14, -13, 300, 26, 5) if latest else None,
            Print(stripe(theme.name)) if at % 2 == 0 else None,
            sign(SIGNS[building], 0, 0, 20, hue),
            words(theme, 17, 5, name, size=15, width=132, quiet=not left),
            *(chips if left else [group(*chips, opacity=0.4)]),
            words(theme, 280, 6, f"×{left}", size=16, anchor="end", bold=bool(left), quiet=not left),
            id=f"supply-{building}",
            at=(SUPPLY.x + 18, y),
            names={"building": building} if left and self.view.phase == "sites" else None,
            actions=("launch_site",) if left and self.view.phase == "sites" else (),
            explain=self.supply_key(building),
            latest=latest,
        )
