"""Greenlet bridge: runs synchronous code in the event loop, where a blocking call awaits instead.

A request in the loop is `await run_in_greenlet(context, work)`. Code that needs something that takes time, at any depth
of `work`, calls `await_(future)`: the greenlet is suspended, the loop serves others, and the call returns with the answer.
The same code runs in threads and worker processes, where such calls simply block: only what makes the wait (a connection
to the store, `offload`) has to ask `in_loop()`.

No lock may be held over `await_`: the next one who wants it would stop the loop, and with it the one who holds it.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextvars import Context, copy_context
from sys import setswitchinterval
from threading import Lock
from typing import Any, TypeVar, cast

from greenlet import getcurrent, greenlet

T = TypeVar("T")

DEFAULT_SWITCH_INTERVAL, SHORT_SWITCH_INTERVAL = 0.005, 0.0005
"""Seconds that a thread which computes keeps others waiting: as the interpreter has it, and while the loop has company."""


class YieldingThreadPool(ThreadPoolExecutor):
    """Threads beside a loop. While one of them works, it gives way to the loop after half a millisecond.

    Players would feel the interpreter's usual five. But where only the loop computes, it would be stopped as often for
    the server's own threads, which can wait: so the interval is short only as long as there is work here.
    """

    _at_work = 0
    _count = Lock()

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        YieldingThreadPool._change(1)
        future = super().submit(fn, *args, **kwargs)
        future.add_done_callback(lambda _: YieldingThreadPool._change(-1))
        return future

    @classmethod
    def _change(cls, by: int) -> None:
        with cls._count:
            cls._at_work += by
            setswitchinterval(SHORT_SWITCH_INTERVAL if cls._at_work else DEFAULT_SWITCH_INTERVAL)


OFFLOAD_POOL = YieldingThreadPool(2, "long")
"""Where a request in the loop has done what would keep the loop from others for long."""


class LoopGreenlet(greenlet):
    """A greenlet of the event loop."""


def in_loop() -> bool:
    """Does this code run in an event loop, so that it must rest instead of blocking?"""
    return isinstance(getcurrent(), LoopGreenlet)


def await_(wanted: Awaitable[T]) -> T:
    """Sleep until the loop has the answer; an error is raised here."""
    loop = getcurrent().parent
    assert loop is not None, "only a greenlet of the loop can rest"
    return cast(T, loop.switch(wanted))


def offload(work: Callable[[], T], pool: Executor = OFFLOAD_POOL) -> T:
    """Do what takes long without stopping the loop: in a thread if this is the loop, else here and now."""
    if not in_loop():
        return work()
    return await_(asyncio.get_running_loop().run_in_executor(pool, copy_context().run, work))


def sleep(seconds: float) -> None:
    """Wait, without stopping the loop if this is the loop."""
    if in_loop():
        await_(asyncio.sleep(seconds))
    else:
        time.sleep(seconds)


async def run_in_greenlet(inside: Context, work: Callable[..., T], *arguments: Any) -> T:
    """Run synchronous work in the loop, awaiting whatever it rests for. If this is cut off, so is the work, there.

    Context variables are those of `inside`, as for a call in a thread: requests that rest do not see one another's.
    """
    sleeper = LoopGreenlet(work)
    sleeper.gr_context = inside
    wanted = sleeper.switch(*arguments)
    while not sleeper.dead:
        try:
            answer = await wanted
        except BaseException as error:
            wanted = sleeper.throw(error)
        else:
            wanted = sleeper.switch(answer)
    return cast(T, wanted)
