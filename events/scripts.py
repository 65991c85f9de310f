"""Scripts that the store runs: what changes together, or is read together, in one step."""

from collections.abc import Callable, Sequence
from hashlib import sha1
from importlib.resources import files
from typing import Any, NamedTuple

from redis import Redis
from redis.cluster import RedisCluster
from redis.exceptions import NoScriptError

Argument = str | bytes | int


class Call(NamedTuple):
    """What a script is run with."""

    keys: Sequence[str]
    args: Sequence[Argument] = ()


class Script:
    """A script by its hash, which the store is taught when it does not know it (yet, or any more)."""

    def __init__(self, client: Redis | RedisCluster, package: str, name: str) -> None:
        self.client = client
        self._execute: Callable[..., Any] = client.execute_command
        self.script = files(package).joinpath(name).read_text()
        self.sha = sha1(self.script.encode(), usedforsecurity=False).hexdigest()

    def __call__(self, keys: Sequence[str], args: Sequence[Argument] = ()) -> Any:
        command = ("EVALSHA", self.sha, len(keys), *keys, *args)
        try:
            return self._execute(*command)
        except NoScriptError:
            self.client.script_load(self.script)
            return self._execute(*command)

    def for_each(self, calls: Sequence[Call]) -> list[Any]:
        """The answers to several calls that go out together, each an error if it failed: one that does harms no other."""
        answers = self._together(calls)
        if any(isinstance(answer, NoScriptError) for answer in answers):
            self.client.script_load(self.script)
            answers = self._together(calls)
        return answers

    def _together(self, calls: Sequence[Call]) -> list[Any]:
        with self.client.pipeline(transaction=False) as pipe:
            for keys, args in calls:
                pipe.execute_command("EVALSHA", self.sha, len(keys), *keys, *args)
            answers: list[Any] = pipe.execute(raise_on_error=False)
        return answers
