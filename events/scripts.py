"""Scripts that the store runs: what changes together, or is read together, in one step."""

from collections.abc import Callable, Sequence
from hashlib import sha1
from importlib.resources import files
from typing import Any

from redis import Redis
from redis.cluster import RedisCluster
from redis.exceptions import NoScriptError


class Script:
    """A script by its hash, which the store is taught when it does not know it (yet, or any more)."""

    def __init__(self, client: Redis | RedisCluster, package: str, name: str) -> None:
        self.client = client
        self._execute: Callable[..., Any] = client.execute_command
        self.script = files(package).joinpath(name).read_text()
        self.sha = sha1(self.script.encode(), usedforsecurity=False).hexdigest()

    def __call__(self, keys: Sequence[str], args: Sequence[str | bytes | int] = ()) -> Any:
        command = ("EVALSHA", self.sha, len(keys), *keys, *args)
        try:
            return self._execute(*command)
        except NoScriptError:
            self.client.script_load(self.script)
            return self._execute(*command)
