"""Lua scripts that the store runs atomically, called by their hash."""

from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha1
from importlib.resources import files
from typing import Any, NamedTuple

from redis import Redis
from redis.cluster import RedisCluster
from redis.exceptions import NoScriptError

Argument = str | bytes | int


class ScriptCall(NamedTuple):
    """What a script is run with."""

    keys: Sequence[str]
    args: Sequence[Argument] = ()


@cache
def _read_script(package: str, name: str) -> tuple[str, str]:
    """The text of a script, and its hash."""
    text = files(package).joinpath(name).read_text()
    return text, sha1(text.encode(), usedforsecurity=False).hexdigest()


class Script:
    """A script by its hash, which the store is taught when it does not know it (yet, or any more)."""

    def __init__(self, client: Redis | RedisCluster, package: str, name: str) -> None:
        self.client = client
        self._execute: Callable[..., Any] = client.execute_command
        self.script, self.sha = _read_script(package, name)

    def __call__(self, keys: Sequence[str], args: Sequence[Argument] = ()) -> Any:
        try:
            return self._execute("EVALSHA", self.sha, len(keys), *keys, *args)
        except NoScriptError:
            self.client.script_load(self.script)
            return self._execute(*self._in_full(ScriptCall(keys, args)))

    def for_each(self, calls: Sequence[ScriptCall]) -> list[Any]:
        """The answers to several calls that go out together, each an error if it failed: one that does harms no other."""
        answers = self._together([self._by_hash(call) for call in calls])
        unknown = [at for at, answer in enumerate(answers) if isinstance(answer, NoScriptError)]
        if unknown:
            self.client.script_load(self.script)
            again = self._together([self._in_full(calls[at]) for at in unknown])
            for at, answer in zip(unknown, again, strict=True):
                answers[at] = answer
        return answers

    def _by_hash(self, call: ScriptCall) -> tuple[Argument, ...]:
        return ("EVALSHA", self.sha, len(call.keys), *call.keys, *call.args)

    def _in_full(self, call: ScriptCall) -> tuple[Argument, ...]:
        """The call with the script's text: a node that has just taken over needs to know nothing."""
        return ("EVAL", self.script, len(call.keys), *call.keys, *call.args)

    def _together(self, commands: Sequence[tuple[Argument, ...]]) -> list[Any]:
        with self.client.pipeline(transaction=False) as pipe:
            for command in commands:
                pipe.execute_command(*command)
            answers: list[Any] = pipe.execute(raise_on_error=False)
        return answers
