"""The supervisor: starts in order, restarts what crashes, stops all within five seconds, leaves nobody behind."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from services.host.supervisor import RestartPolicy
from tests.host.running import Running, processes_using, running
from tests.servers import is_running, short_directory, wait_until

SUPERVISE = """
import os, sys
from dataclasses import replace
from pathlib import Path
from services.core.backoff import PROCESS_CRASHED
from services.host.embedded import EmbeddedStore
from services.host.supervisor import Child, RestartPolicy, Supervisor
directory = Path(sys.argv[1])
PACE = RestartPolicy(restarts=replace(PROCESS_CRASHED, first=0.05), grace=0.5)
def child(name, code, ready=lambda: True):
    return Child(name, [sys.executable, "-c", code, str(directory)], os.environ, tells=f"{name} is up", ready=ready)
def say(line):
    print(line, flush=True)
"""
SLEEP = "import time; time.sleep(60)"
STUBBORN = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"
FRUITFUL = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; time.sleep(60)', sys.argv[1]])"


@pytest.fixture
def directory() -> Iterator[Path]:
    with short_directory() as path:
        yield path


@contextmanager
def supervising(directory: Path, how: str) -> Iterator[Running]:
    script = f"{SUPERVISE}\n{how}"
    with running(script, str(directory), env={}, directory=directory) as supervisor:
        yield supervisor


def others(directory: Path, supervisor: Running) -> list[int]:
    return [pid for pid in processes_using(directory) if pid != supervisor.process.pid]


def test_children_start_once_the_store_is_ready_and_each_says_so(directory: Path) -> None:
    how = f"sys.exit(Supervisor(EmbeddedStore(directory), [child('one', {SLEEP!r}), child('two', {SLEEP!r})], say).run())"
    with supervising(directory, how) as supervisor:
        supervisor.wait_to_say("two is up")
        assert supervisor.said.splitlines() == [
            f"✓ store: Valkey keeps the games in {directory}",
            "✓ one: one is up",
            "✓ two: two is up",
        ]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_stops_everything_with_exit_code_0(directory: Path, number: int) -> None:
    how = f"sys.exit(Supervisor(EmbeddedStore(directory), [child('one', {SLEEP!r})], say).run())"
    with supervising(directory, how) as supervisor:
        supervisor.wait_to_say("one is up")
        code = supervisor.stop(number)
        assert (code, others(directory, supervisor)) == (0, [])
        assert "killed" not in supervisor.said


def test_it_stops_even_if_a_child_does_not_listen(directory: Path) -> None:
    assert RestartPolicy().grace + RestartPolicy().store_grace < 5, "seconds that it takes at most"
    how = f"sys.exit(Supervisor(EmbeddedStore(directory), [child('mule', {STUBBORN!r}, (lambda: True))], say).run())"
    with supervising(directory, how) as supervisor:
        supervisor.wait_to_say("mule is up")
        wait_until(lambda: ignores_sigterm(directory), "the mule to shut its ears")
        code = supervisor.stop()
        assert (code, others(directory, supervisor)) == (0, [])
        assert "mule: killed, as it did not end by itself" in supervisor.said


def ignores_sigterm(directory: Path) -> bool:
    """Whether one of the processes there has told the kernel that it ignores SIGTERM."""
    for pid in processes_using(directory):
        status = Path(f"/proc/{pid}/status").read_text()
        ignored = int(status.split("SigIgn:")[1].split()[0], 16)
        if ignored & 1 << (signal.SIGTERM - 1):
            return True
    return False


def test_a_second_ctrl_c_does_not_wait_for_a_child_that_does_not_listen(directory: Path) -> None:
    how = f"sys.exit(Supervisor(None, [child('mule', {STUBBORN!r})], say, RestartPolicy(grace=600)).run())"
    with supervising(directory, how) as supervisor:
        wait_until(lambda: ignores_sigterm(directory), "the mule to shut its ears")
        supervisor.process.send_signal(signal.SIGINT)
        supervisor.wait_to_say("Stopping")
        supervisor.stop(signal.SIGINT)
        assert "mule: killed" in supervisor.said


def test_the_store_is_stopped_last(directory: Path) -> None:
    farewell = (
        "import redis, signal, sys, time\n"
        "from pathlib import Path\n"
        "from services.core.datadir import embedded_url\n"
        "def bye(*_):\n"
        "    time.sleep(0.3)\n"
        "    with redis.Redis.from_url(embedded_url(Path(sys.argv[1]))) as client: client.set('farewell', 'said')\n"
        "    print('said farewell', flush=True)\n"
        "    sys.exit(0)\n"
        "signal.signal(signal.SIGTERM, bye)\n"
        "print('listening', flush=True)\n"
        "time.sleep(60)"
    )
    how = f"sys.exit(Supervisor(EmbeddedStore(directory), [child('polite', {farewell!r})], say).run())"
    with supervising(directory, how) as supervisor:
        supervisor.wait_to_say("listening")
        assert supervisor.stop() == 0
        assert "said farewell" in supervisor.said


def test_a_crashed_child_comes_back_and_longer_pauses_follow_each_crash(directory: Path) -> None:
    how = "sys.exit(Supervisor(None, [child('fragile', 'import sys; sys.exit(3)')], say, PACE).run())"
    with supervising(directory, how) as supervisor:
        supervisor.wait_to_say("ended with code 3; starting it again in 0.05 s")
        supervisor.wait_to_say("ended with code 3; starting it again in 0.1 s")
        supervisor.wait_to_say("ended with code 3; starting it again in 0.2 s")


def test_a_child_that_never_was_ready_is_given_up_after_five_crashes(directory: Path) -> None:
    how = "sys.exit(Supervisor(EmbeddedStore(directory), [child('broken', 'import sys; sys.exit(3)', lambda: False)], say, PACE).run())"
    with supervising(directory, how) as supervisor:
        assert supervisor.wait() == 1
        assert "✗ broken: given up after 5 crashes in a row (it ended with code 3)." in supervisor.said
        assert others(directory, supervisor) == []


def test_a_store_that_is_killed_comes_back_with_what_it_acknowledged(directory: Path) -> None:
    how = f"sys.exit(Supervisor(EmbeddedStore(directory), [child('one', {SLEEP!r})], say, PACE).run())"
    with supervising(directory, how) as supervisor:
        supervisor.wait_to_say("one is up")
        os.kill(store_of(directory), signal.SIGKILL)
        supervisor.wait_to_say("✗ store: was ended by a signal: Killed; starting it again in 0.05 s")
        supervisor.wait_to_say("✓ store", times=2)
        assert supervisor.said.count("one is up") == 1


def store_of(directory: Path) -> int:
    (pid,) = [
        pid
        for pid in processes_using(directory)
        if b"valkey-server" in Path(f"/proc/{pid}/cmdline").read_bytes()
    ]
    return pid


def test_a_store_that_cannot_run_is_given_up_after_five_crashes_and_its_log_is_named(directory: Path) -> None:
    (directory / "appendonlydir").mkdir()
    (directory / "appendonlydir" / "appendonly.aof.manifest").write_text("this is no manifest\n")
    how = f"sys.exit(Supervisor(EmbeddedStore(directory), [child('one', {SLEEP!r})], say, PACE).run())"
    with supervising(directory, how) as supervisor:
        assert supervisor.wait() == 1
        assert supervisor.said.count("starting it again") == 4
        assert (
            f"✗ store: given up after 5 crashes in a row (it ended with code 1). Its log is {directory}/valkey.log; its disk has "
            in supervisor.said
        )
        assert "one is up" not in supervisor.said
    assert "AOF" in (directory / "valkey.log").read_text()


def test_when_the_supervisor_is_killed_nobody_stays_behind(directory: Path) -> None:
    how = f"sys.exit(Supervisor(EmbeddedStore(directory), [child('mule', {STUBBORN!r})], say).run())"
    with supervising(directory, how) as supervisor:
        supervisor.wait_to_say("mule is up")
        wait_until(lambda: len(others(directory, supervisor)) == 2, "the store and the mule to be seen")
        supervisor.stop(signal.SIGKILL)
        wait_until(lambda: not processes_using(directory), "all to be gone")


def test_what_a_crashed_child_had_started_ends_before_it_comes_back(directory: Path) -> None:
    how = f"sys.exit(Supervisor(None, [child('parent', {FRUITFUL!r})], say, PACE).run())"
    with supervising(directory, how) as supervisor:
        wait_until(lambda: len(others(directory, supervisor)) == 2, "the grandchild")
        child, grandchild = sorted(others(directory, supervisor))
        os.kill(child, signal.SIGKILL)
        supervisor.wait_to_say("starting it again")
        wait_until(lambda: not is_running(grandchild), "the grandchild to end")


def test_when_the_supervisor_is_killed_what_its_children_started_ends_too(directory: Path) -> None:
    how = f"sys.exit(Supervisor(EmbeddedStore(directory), [child('parent', {FRUITFUL!r})], say).run())"
    with supervising(directory, how) as supervisor:
        wait_until(lambda: len(others(directory, supervisor)) == 3, "store, child and grandchild")
        supervisor.stop(signal.SIGKILL)
        wait_until(lambda: not processes_using(directory), "all to be gone")


def guard_of(supervisor: Running) -> int:
    """The guard's process."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes()
            parent = int((process / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
        if parent == supervisor.process.pid and b"reaper.py" in command:
            return int(process.name)
    return 0


def test_a_guard_that_was_killed_is_replaced_and_the_next_one_knows_whom_to_end(directory: Path) -> None:
    how = f"sys.exit(Supervisor(EmbeddedStore(directory), [child('parent', {FRUITFUL!r})], say).run())"
    with supervising(directory, how) as supervisor:
        wait_until(lambda: len(others(directory, supervisor)) == 3, "store, child and grandchild")
        first = guard_of(supervisor)
        os.kill(first, signal.SIGKILL)
        supervisor.wait_to_say("! the guard was killed: another stands in its place")
        wait_until(lambda: guard_of(supervisor) not in (0, first), "another guard")
        supervisor.stop(signal.SIGKILL)
        wait_until(lambda: not processes_using(directory), "all to be gone")


ROOM = """
from services.host import embedded
embedded.free_mb = lambda _: int((directory / "free").read_text())
"""


def test_a_store_without_room_is_waited_for_and_comes_back_when_there_is_some(directory: Path) -> None:
    """However long that takes: after five crashes in a row it would be given up."""
    (directory / "free").write_text("0")
    crash = "launch = embedded.EmbeddedStore.launch\n" + (
        "def dies_without_room(self):\n"
        "    process = launch(self)\n"
        "    if embedded.free_mb(self.data_dir) == 0: process.kill()\n"
        "    return process\n"
        "embedded.EmbeddedStore.launch = dies_without_room\n"
    )
    how = f"{ROOM}{crash}sys.exit(Supervisor(EmbeddedStore(directory), [child('one', {SLEEP!r})], say, PACE).run())"
    with supervising(directory, how) as supervisor:
        supervisor.wait_to_say(
            f"it is started again when there is room: {directory} has 0 MB left, and it needs 16"
        )
        with pytest.raises(subprocess.TimeoutExpired):
            supervisor.process.wait(2)
        assert supervisor.said.count("store") == 1, "it is said once"
        (directory / "free").write_text("999")
        supervisor.wait_to_say("one is up")
        assert supervisor.stop() == 0
