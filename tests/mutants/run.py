"""Collects the tests of a target once, then forks a process for each of its mutants, which stops at the first failure."""

import os
import signal
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.mutants.mutations import Mutant
from tests.mutants.targets import EXPLAINED, Target

SECONDS_PER_MUTANT = 120
"""A mutant that takes longer has made something wait for ever."""
HUNG = "(hung)"


class Verdict(NamedTuple):
    """What became of a mutant: the first test that failed, or None if it survived."""

    mutant: Mutant
    killer: str | None

    @property
    def excuse(self) -> str | None:
        """Why it is undecided."""
        line = self.mutant.file.read_text().splitlines()[self.mutant.line - 1].strip()
        return None if self.killer else EXPLAINED.get(line)


class MutantPlugin:
    """Runs the collected tests for each mutant in a process of its own."""

    def __init__(self, mutants: list[Mutant]) -> None:
        self.mutants = mutants
        self.verdicts: list[Verdict] = []
        self._failed: str | None = None

    @pytest.hookimpl
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._failed = self._failed or report.nodeid

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        assert session.items, "no test was collected"
        assert (killer := self._try(session, None)) is None, f"fails without a mutation: {killer}"
        for mutant in self.mutants:
            self.verdicts.append(Verdict(mutant, self._try(session, mutant)))
        return True

    def _try(self, session: pytest.Session, mutant: Mutant | None) -> str | None:
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            os.close(reading)
            os.setpgid(0, 0)
            signal.alarm(SECONDS_PER_MUTANT)
            try:
                os.write(writing, (self._first_failure(session, mutant) or "").encode())
            except BaseException as error:
                os.write(writing, f"({type(error).__name__})".encode())
            finally:
                os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            _, status = os.waitpid(child, 0)
            return HUNG if os.WIFSIGNALED(status) else pipe.read() or None

    def _first_failure(self, session: pytest.Session, mutant: Mutant | None) -> str | None:
        silence = os.open(os.devnull, os.O_WRONLY)
        for stream in (1, 2):
            os.dup2(silence, stream)
        if mutant:
            mutant.apply()
        for item, following in zip(session.items, [*session.items[1:], None], strict=True):
            session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self._failed:
                break
        return self._failed


def verdicts_of(target: Target, mutants: list[Mutant]) -> list[Verdict]:
    """The verdicts on some mutants of a target."""
    plugin = MutantPlugin(mutants)
    options = ["-qq", "--no-summary", "-p", "no:cacheprovider", "--timeout=0"]
    code = pytest.main([*options, *target.tests], plugins=[plugin])
    assert code == pytest.ExitCode.OK, f"{target.file}: pytest ended with {code!r}"
    return plugin.verdicts


def report_lines(seed: int, verdicts: dict[Path, list[Verdict]]) -> list[str]:
    """The report: a row for each file, then the survivors, then who killed the others."""
    every = [verdict for some in verdicts.values() for verdict in some]
    decided = [verdict for verdict in every if not verdict.excuse]
    killed = [verdict for verdict in decided if verdict.killer]
    lines = [
        "# Mutants",
        "",
        f"Seed {seed}: {len(killed)} of {len(decided)} decided mutants were killed "
        f"({100 * len(killed) / max(1, len(decided)):.0f} %); {len(every) - len(decided)} are undecided.",
        "",
        "| file | mutants | killed |",
        "| --- | ---: | ---: |",
    ]
    for file, some in verdicts.items():
        lines.append(f"| `{file}` | {len(some)} | {sum(bool(each.killer) for each in some)} |")
    lines += ["", "## Survivors", ""]
    lines += [
        f"- `{each.mutant}`" + (f": {each.excuse}" if each.excuse else "")
        for each in every
        if not each.killer
    ] or ["None."]
    lines += ["", "## Killed", ""]
    lines += [f"- `{each.mutant}` by `{each.killer}`" for each in killed]
    return [*lines, ""]
