"""Fair turns: whoever sends many slow requests keeps nobody but itself waiting."""

import asyncio

import pytest

from services.front.fair_turns import MOST_WAITING, FairTurns
from services.front.reading import RequestRefused


def test_a_caller_has_one_turn_at_a_time_and_another_need_not_wait_for_all_of_them() -> None:
    async def run() -> list[str]:
        turns, pool, done = FairTurns(), asyncio.Semaphore(1), []

        async def ask(caller: str) -> None:
            async with turns.turn(caller), pool:
                done.append(caller)
                await asyncio.sleep(0)

        many = [asyncio.create_task(ask("greedy")) for _ in range(16)]
        await asyncio.sleep(0)
        await asyncio.gather(ask("modest"), *many)
        return done

    done = asyncio.run(run())
    assert done.index("modest") <= 1
    assert len(done) == 17


def test_a_caller_may_have_only_so_many_waiting_and_is_forgotten_when_they_are_done() -> None:
    async def run() -> None:
        turns, gate = FairTurns(), asyncio.Event()

        async def ask(caller: str) -> None:
            async with turns.turn(caller):
                await gate.wait()

        waiting = [asyncio.create_task(ask("greedy")) for _ in range(MOST_WAITING)]
        await asyncio.sleep(0)
        with pytest.raises(RequestRefused) as refused:
            await ask("greedy")
        assert refused.value.response.status == 429
        assert refused.value.response.header("retry-after") == "1"
        other = asyncio.create_task(ask("modest"))
        waiting[-1].cancel()
        gate.set()
        await asyncio.gather(other, *waiting, return_exceptions=True)
        await ask("greedy")
        assert turns._lines == {}, "nobody is remembered who asks for nothing"

    asyncio.run(run())
