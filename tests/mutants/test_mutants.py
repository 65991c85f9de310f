"""The tool itself: a mutant differs in one place, and a process that applies it runs the changed code."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from weakref import proxy

import pytest

from tests.mutants import mutations
from tests.mutants.mutations import mutants_of
from tests.mutants.run import Verdict, report_lines
from tests.mutants.targets import TARGETS

ROOT = Path(__file__).parents[2]
CODE = "def larger(a, b):\n    return a if a > b else b\n\ndef first(text):\n    return not text or text[0]\n"


def test_every_file_has_mutants_and_every_test_exists() -> None:
    for target in TARGETS:
        assert mutants_of(ROOT / target.file), target.file
        paths = [each for each in target.tests if each.startswith("tests/")]
        assert paths
        assert all((ROOT / each).exists() for each in paths), target.file


def test_a_mutant_changes_functions_that_others_have_imported(tmp_path: Path) -> None:
    file = tmp_path / "code.py"
    file.write_text(CODE)
    space: dict[str, Callable[..., object]] = {}
    exec(compile(CODE, str(file), "exec"), space)
    larger = space["larger"]
    assert [mutant.change for mutant in mutants_of(file)] == ["if → if not", "Or → And", "Gt → GtE"]
    assert larger(2, 1) == 2
    dead = proxy(Random())
    with pytest.raises(ReferenceError):
        isinstance(dead, int)
    mutants_of(file)[0].apply()
    assert larger(2, 1) == 1


def test_a_script_is_changed_in_one_operator_and_not_in_its_comments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "script.lua"
    file.write_text("-- a == b\nif a == b and c then return 1 end\n")
    both = mutants_of(file)
    assert [(mutant.line, mutant.change) for mutant in both] == [(2, "== → ~="), (2, "and → or")]
    monkeypatch.setattr(Path, "read_text", Path.read_text)  # given back when the test is over
    both[1].apply()
    assert file.read_text() == "-- a == b\nif a == b or c then return 1 end\n"


def test_the_report_counts_the_killed_and_names_survivors() -> None:
    file = ROOT / TARGETS[0].file
    one, other = Random(1).sample(mutants_of(file), 2)
    told = "\n".join(report_lines(3, {file: [Verdict(one, "tests/x.py::test_y"), Verdict(other, None)]}))
    assert "1 of 2 decided mutants were killed (50 %); 0 are undecided" in told
    assert f"- `{other}`\n" in told
    assert f"- `{one}` by `tests/x.py::test_y`" in told


def test_every_operator_has_an_opposite_that_leads_back_or_shifts_a_boundary() -> None:
    assert all(mutations.OPPOSITES[other] is one for one, other in mutations.OPPOSITES.items())
