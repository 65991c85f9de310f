"""Narration: the events of a game as sentences, in the language of the reader.

The sentences are data: each game's `sentences.json`, `nouns.json` and `names.json`, and `sentences.json` here for what
all games share. How they are filled is told in docs/sentences.md.
"""

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any

import msgspec

from games.kernel import Ruleset
from games.words import Words
from replays.sentences import Sentences

COMMON_SENTENCES: Mapping[str, Any] = msgspec.json.decode(
    files("replays").joinpath("sentences.json").read_bytes()
)
LANGUAGES = tuple(COMMON_SENTENCES)
CHANGED = "changed:"
"""How the key of a sentence begins that is told when a member of some player has changed."""
BEFORE = " before "
"""In such a key: what follows are the types of facts that it is told before."""


def narration_words(ruleset: Ruleset[Any, Any], language: str) -> Words:
    """All the words that telling a game needs: those that all games share, and the game's own."""
    own, common = ruleset.words[language], COMMON_SENTENCES[language]
    return own._replace(
        nouns={**common["nouns"], **own.nouns},
        sentences={**common["sentences"], **own.sentences},
        refusals={**common["refusals"], **own.refusals},
    )


def bot_name(level: str, language: str) -> str:
    """What a bot that was given no name is called."""
    noun: str = COMMON_SENTENCES[language]["nouns"][f"bot.{level}"]["one"]
    return noun[0].upper() + noun[1:]


class NoSentence(LookupError):
    """Something that no sentence tells."""


def teller_of(ruleset: Ruleset[Any, Any], language: str, players: Sequence[str | None]) -> "Teller":
    """Who tells a game of this ruleset to people."""
    return Teller(narration_words(ruleset, language), language, players)


class Teller:
    """Tells the events of one game in one language."""

    def __init__(self, words: Words, language: str, players: Sequence[str | None]) -> None:
        self.language = language
        self.sentences = Sentences(words, language, players)

    def event(self, event: Mapping[str, Any], view: Any = None, before: Any = None) -> list[str]:
        """An event in sentences: what was done, what came of it, and what has changed between the two views."""
        data = event["data"]
        around = {"view": view, "before": before}
        sentences = (
            []
            if event["type"] == "action_taken"
            else [self._tell(f"entry:{event['type']}", {**around, **data})]
        )
        changes = dict(self._changes(view, before))
        for fact in data.get("facts", ()):
            sentences += [changes.pop(key) for key in tuple(changes) if fact["type"] in _later_facts(key)]
            sentences.append(self._tell(fact["type"], {**around, **fact}))
        return [sentence for sentence in (*sentences, *changes.values()) if sentence]

    def fact(self, fact: Mapping[str, Any]) -> str:
        """A fact alone, as a sentence."""
        return self._tell(fact["type"], fact)

    def turning_point(self, point: Mapping[str, Any]) -> str:
        """A turning point of a review: what was played, and what would have been better by how much."""
        done, best = self.option(point["played"]), self.option(point["better"])
        return self._tell(
            "review:turning_point",
            {
                "seat": point["seat"],
                "played": done,
                "better": None if best == done else best,
                "chance": percent(point["played"]["chance"]),
                "best": percent(point["better"]["chance"]),
            },
        )

    def option(self, option: Mapping[str, Any]) -> str:
        """Something that a seat could do: by its label if that says all, else by what happens then."""
        action, fact = option["action"], option["fact"]
        label = self.sentences.name(action["type"], "action")
        return label if action.keys() == {"type"} else self.fact(fact).rstrip(".")

    def headline(self, event: Mapping[str, Any]) -> str:
        """Who did what kind of thing."""
        action = event["data"].get("action")
        actor = self.actor(event["actor"])
        if "seat" not in event["actor"]:
            actor = actor[:1].upper() + actor[1:]
        return f"{actor} · {self.sentences.name(action['type'], 'action')}" if action else actor

    def actor(self, actor: Mapping[str, Any]) -> str:
        """Who did something."""
        ((kind, who),) = actor.items()
        if kind == "seat":
            return self.player(who)
        name = who if kind == "system" else kind
        return self.sentences.noun(name, "actor").one.replace("{host}", str(who))

    def player(self, seat: int) -> str:
        """Who sits there."""
        return self.sentences.player(seat)

    def label(self, value: str, member: str = "") -> str:
        """What stands above a pile or beside a value of this member, as short as can be."""
        return self.sentences.label(value, member)

    def listed(self, words: Sequence[str]) -> str:
        """Things in a row: one, two and three."""
        return self.sentences.grammar.listed(words)

    def _changes(self, view: Any, before: Any) -> Iterator[tuple[str, str]]:
        """What is told of players' members that are not what they were, by the keys of the sentences."""
        if view is None or before is None:
            return
        for key, template in self.sentences.templates.items():
            if key.startswith(CHANGED):
                member = key.removeprefix(CHANGED).partition(BEFORE)[0]
                changed = _changed(member, view["players"], before["players"])
                if changed:
                    members = {"changed": changed, "view": view, "before": before}
                    yield key, self.sentences.sentence(template, members)

    def _tell(self, kind: str, members: Mapping[str, Any]) -> str:
        try:
            template = self.sentences.templates[kind]
        except KeyError:
            raise NoSentence(f"no sentence tells {kind!r} in {self.language!r}") from None
        return self.sentences.sentence(template, members)


def percent(per_mille: int) -> int:
    """Thousandths as people read them."""
    return (per_mille + 5) // 10


def _later_facts(key: str) -> list[str]:
    """The types of facts that a change is told before."""
    return key.partition(BEFORE)[2].split()


def _changed(member: str, now: Sequence[Any], before: Sequence[Any]) -> list[dict[str, Any]]:
    """The seats whose member is another than it was."""
    return [
        {"seat": seat, "now": player[member], "was": old[member]}
        for seat, (player, old) in enumerate(zip(now, before, strict=True))
        if player[member] != old[member]
    ]
