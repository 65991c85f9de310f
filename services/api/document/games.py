"""What games define, as components of the document: `BabelView`, `AtonPlace`, `SaReSource`; and what is any of them."""

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any

from games.kernel import GameSetUp, Outcome, Registry, Ruleset
from games.members import members_of
from services.api.document.types import Schema, Types

SCHEMAS_PREFIX = "#/components/schemas/"
OBJECT: Schema = {"type": "object"}


def reference(name: str) -> Schema:
    return {"$ref": SCHEMAS_PREFIX + name}


def stem(name: str) -> str:
    """How the components of a ruleset are called: `sa_re` is `SaRe`."""
    return "".join(part.capitalize() for part in name.split("_"))


def types_of(
    ruleset: Ruleset[Any, Any], prefix: str, place: str, latest: Ruleset[Any, Any] | None = None
) -> Types:
    """The schemas of everything that a ruleset defines; `Outcome` is the same in all games.

    An earlier version shares what it has in common with the latest, under its names.
    """
    shared = shared_prefix(ruleset, prefix, latest)

    def name(kind: type[Any]) -> str:
        if kind is Outcome:
            return "Outcome"
        return shared(kind) + ("View" if kind is ruleset.state_type else kind.__name__)

    types = Types(members_of(ruleset.name), name, place)
    types.struct(ruleset.options_type, in_request=True)
    for action in ruleset.action_types:
        types.struct(action, in_request=True)
    for fact in fact_types(ruleset):
        types.struct(fact)
    types.struct(ruleset.state_type)
    return types


def shared_prefix(
    ruleset: Ruleset[Any, Any], prefix: str, latest: Ruleset[Any, Any] | None
) -> Callable[[type[Any]], str]:
    """How the component of a class begins: options, states, and what the latest version does not have are its own."""
    own = {ruleset.options_type, ruleset.state_type, GameSetUp}
    if latest:
        own |= {*ruleset.action_types, *ruleset.fact_types} - {*latest.action_types, *latest.fact_types}

    def of(kind: type[Any]) -> str:
        return prefix if latest is None or kind in own else stem(latest.name)

    return of


def fact_types(ruleset: Ruleset[Any, Any]) -> list[Any]:
    """The kinds of facts of a ruleset; those of the kernel are about its own states."""
    kinds: Iterable[Any] = ruleset.fact_types
    return [kind[ruleset.state_type] if kind.__parameters__ else kind for kind in kinds]


def tagged(kinds: Iterable[Any], prefix: Callable[[type[Any]], str], place: str) -> Schema:
    """One of these structs, told apart by its `type`."""
    mapping = {kind.__struct_config__.tag: f"{place}{prefix(kind)}{kind.__name__}" for kind in kinds}
    return one_of("type", mapping)


def one_of(member: str, mapping: dict[str, str]) -> Schema:
    """One of several schemas, told apart by a member."""
    choices = [{"$ref": target} for target in mapping.values()]
    return {"oneOf": choices, "discriminator": {"propertyName": member, "mapping": mapping}}


def any_of(names: Iterable[str]) -> Schema:
    choices = [reference(name) for name in names]
    return choices[0] if len(choices) == 1 else {"anyOf": choices} if choices else OBJECT


class Games:
    """The components of all games that a server has."""

    def __init__(self, rulesets: Registry) -> None:
        self.components: dict[str, Schema] = {}
        self.prefixes: dict[str, list[str]] = {}
        """How the components of each ruleset begin: one for each of its versions, the latest first."""
        self._actions: set[tuple[str, str]] = set()
        """Type and component of every action of every game."""
        for ruleset in sorted(rulesets, key=lambda each: (each.name, -each.version)):
            self._add(ruleset, rulesets.latest(ruleset.name))
        self._add_unions()

    def _add(self, ruleset: Ruleset[Any, Any], newest: Ruleset[Any, Any]) -> None:
        latest = None if ruleset is newest else newest
        prefix = stem(ruleset.name) + (f"V{ruleset.version}" if latest else "")
        self.prefixes.setdefault(ruleset.name, []).append(prefix)
        self.components |= types_of(ruleset, prefix, SCHEMAS_PREFIX, latest).components
        title = ruleset.names["en"].get(ruleset.name, ruleset.name) if "en" in ruleset.names else ruleset.name
        actions, facts = ruleset.action_types, ruleset.fact_types
        shared = shared_prefix(ruleset, prefix, latest)
        self.components[f"{prefix}Action"] = {"description": f"An action of {title}."} | tagged(
            actions, shared, SCHEMAS_PREFIX
        )
        self.components[f"{prefix}Fact"] = {"description": f"Something that happened in {title}."} | tagged(
            facts, shared, SCHEMAS_PREFIX
        )
        self._actions |= {(str(kind.__struct_config__.tag), shared(kind) + kind.__name__) for kind in actions}

    def _add_unions(self) -> None:
        prefixes = [prefix for each in self.prefixes.values() for prefix in each]
        described = {
            "View": "The state of play of some game, as a viewer may see it.",
            "Options": "The options of some game.",
            "Fact": "Something that happened in some game, by its rules.",
        }
        for kind, said in described.items():
            union = any_of(prefix + kind for prefix in prefixes)
            self.components[kind] = {"description": said} | union
        self.components.setdefault("Outcome", {"description": "How a game ended."} | OBJECT)
        self.components["Action"] = {"description": "An action of some game."} | self._any_action()
        self.components["SeenAction"] = seen_action(sorted({kind for kind, _ in self._actions}))

    def _any_action(self) -> Schema:
        """Every action of every game; a type that several games have is a component that holds theirs."""
        mapping: dict[str, str] = {}
        for kind, group in groupby(sorted(self._actions), key=lambda each: each[0]):
            names = sorted((name for _, name in group), key=self._members_demanded, reverse=True)
            if len(names) > 1:
                shared = stem(kind)
                self.components[shared] = {"description": f"`{kind}` of some game."} | any_of(names)
                names = [shared]
            mapping[kind] = SCHEMAS_PREFIX + names[0]
        if not mapping:
            return OBJECT
        choices = [{"$ref": target} for target in mapping.values()]
        return {"anyOf": choices, "discriminator": {"propertyName": "type", "mapping": mapping}}

    def _members_demanded(self, component: str) -> int:
        """Who tries one after another begins with what demands most."""
        return len(self.components[component].get("required", ()))

    def of(self, ruleset: str, kind: str) -> Schema:
        """A kind of thing (`View`, `Action`, …) of a ruleset, in whichever version."""
        return any_of(prefix + kind for prefix in self.prefixes[ruleset])


def seen_action(kinds: list[str]) -> Schema:
    """What is told of an action to everyone: at least its type."""
    kind = {"type": "string", "enum": kinds, "description": "Which action."} if kinds else {"type": "string"}
    return {
        "description": "An action as you may see it: of a secret action of another seat its type alone.",
        "type": "object",
        "properties": {"type": kind},
        "required": ["type"],
        "additionalProperties": True,
    }
