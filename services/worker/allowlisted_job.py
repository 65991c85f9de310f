"""Allow-listed RQ job: it runs the functions of `services.worker.jobs` and nothing else.

Whoever reaches the queue's store can put anything into it. What is none of ours is not run: no other function, nothing
that RQ would call before or after a job, no address that it would tell.
"""

from collections.abc import Callable
from typing import Any

from rq.job import Job

JOBS_MODULE = "services.worker.jobs"
ALLOWED_JOBS = frozenset(
    {
        "play_bots",
        "think",
        "settle",
        "expire",
        "deliver",
        "archive",
        "review",
        "hint",
        "rate",
        "push",
        "write_log",
    }
)


class JobNotAllowed(Exception):
    """A job that none of us has asked for."""


class AllowlistedJob(Job):
    """A job as RQ reads it from the queue, which does what we have a name for or nothing."""

    @property
    def func(self) -> Callable[..., Any]:
        """The function to call; refused if it is not in the list."""
        module, _, name = str(self.func_name).rpartition(".")
        if module != JOBS_MODULE or name not in ALLOWED_JOBS or self.instance is not None or self.kwargs:
            raise JobNotAllowed(f"no job of ours is called {self.func_name!r}")
        if not arguments_allowed(self.args):
            raise JobNotAllowed(f"{name} is not asked for like this")
        function: Callable[..., Any] = super().func
        return function

    def perform(self) -> Any:
        """Do it. RQ would first have the store keep a job that could run out, which ours cannot."""
        return self.func(*self.args)

    @property
    def success_callback(self) -> None:
        return None

    @property
    def failure_callback(self) -> None:
        return None

    @property
    def stopped_callback(self) -> None:
        return None

    def send_webhooks(self, *_: Any, **__: Any) -> None:
        """RQ could post a job's end to an address; our jobs tell nobody."""


def arguments_allowed(arguments: Any) -> bool:
    """Is this what jobs are asked with: one text?"""
    return len(arguments) == 1 and isinstance(arguments[0], str)
