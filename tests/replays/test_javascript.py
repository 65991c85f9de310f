"""The verifier in JavaScript, in node and in a browser, says of every record what the one in Python says."""

import json
import random
import subprocess
import sys
from base64 import b64encode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from replays.audit.verify import verify_file
from replays.record import Record, write_record
from tests.chromium import told_by_page
from tests.golden.records import RECORDS
from tests.node import node
from tests.replays.forging import (
    GOOD,
    Change,
    aborted,
    chained,
    copied,
    data,
    dropped,
    first_terms,
    newest,
    of,
    plain,
    sealed,
)
from tests.replays.test_heads import OURS, THEIRS, signed
from tests.replays.test_order import OUT_OF_ORDER, WRONG_ACTORS
from tests.replays.test_refutations import forgeries
from tests.replays.test_schema import aborted_while_open, aborted_while_played
from tests.seeding import SEED
from tests.servers import PATIENCE

ROOT = Path(__file__).parents[2]
SCRIPTS = {
    "python": [sys.executable, str(ROOT / "replays/audit/verify.py")],
    "node": [node(), str(ROOT / "replays/audit/verify.mjs")],
}
JUDGE = """
import { createInterface } from "node:readline";
const { readKeys, verifyBytes } = await import(process.argv[1]);
const keys = await readKeys(Buffer.from(process.argv[2]));
for await (const line of createInterface({ input: process.stdin })) {
  const checks = await verifyBytes(Buffer.from(line, "base64"), { keys });
  console.log(JSON.stringify(checks.map(({ check, verdict, entry }) => [check, verdict, entry])));
}
"""

PAGE = """<!doctype html>
<meta charset="utf-8">
<script type="module">
import { readKeys, verifyBytes } from "/verify.mjs";
const get = async (path) => new Uint8Array(await (await fetch(path)).arrayBuffer());
const judgements = [];
try {
  const keys = await readKeys(await get("/key"));
  for (let number = 0; number < COUNT; number++) {
    const checks = await verifyBytes(await get(`/record/${number}`), { keys });
    judgements.push(checks.map(({ check, verdict, entry }) => [check, verdict, entry]));
  }
} catch (error) {
  judgements.push(String(error.stack));
}
await fetch("/told", { method: "POST", body: JSON.stringify(judgements) });
</script>
"""

Judgement = list[tuple[str, str, int | None]]


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    path = tmp_path / "keys"
    path.write_text(OURS.public.hex())
    return path


def by_python(sources: list[bytes], key_file: Path) -> list[Judgement]:
    path = key_file.with_name("record.json")
    judgements = []
    for source in sources:
        path.write_bytes(source)
        checks = verify_file(str(path), str(key_file))
        judgements.append([(check.check, check.verdict, check.entry) for check in checks])
    return judgements


def by_node(sources: list[bytes]) -> list[Judgement]:
    """One process for all of them."""
    command = [
        node(),
        "--input-type=module",
        "-e",
        JUDGE,
        (ROOT / "replays/audit/verify.mjs").as_uri(),
        OURS.public.hex(),
    ]
    lines = b"\n".join(map(b64encode, sources)) + b"\n"
    ran = subprocess.run(command, input=lines, capture_output=True, check=False, timeout=PATIENCE)
    assert ran.returncode == 0, ran.stderr.decode()
    return [[tuple(check) for check in json.loads(line)] for line in ran.stdout.splitlines()]


def by_chromium(sources: list[bytes]) -> list[Judgement]:
    """One page for all of them."""
    files = {f"/record/{number}": source for number, source in enumerate(sources)}
    files["/page.html"] = PAGE.replace("COUNT", str(len(sources))).encode()
    files["/verify.mjs"] = (ROOT / "replays/audit/verify.mjs").read_bytes()
    files["/key"] = OURS.public.hex().encode()
    return [[tuple(check) for check in judgement] for judgement in json.loads(told_by_page(files))]


Sources = Callable[[], list[bytes]]
CASES: list[Sources] = []
"""Where the records come from that all must judge alike."""


def judged_alike(sources: Sources) -> Sources:
    """One process of node and one browser judge the records of all these functions."""
    CASES.append(sources)
    return sources


# -- true records -----------------------------------------------------------------------------------------------------


@judged_alike
def good_records() -> list[bytes]:
    return [write_record(signed(make())) for make in GOOD.values()] + [path.read_bytes() for path in RECORDS]


def test_every_good_and_golden_record_passes(key_file: Path) -> None:
    assert len(RECORDS) > 20
    for judgement in by_python(good_records(), key_file):
        assert [verdict for _, verdict, _ in judgement[:4]] == ["pass"] * 4


# -- forged ones ------------------------------------------------------------------------------------------------------

ODD: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    2**53 - 1,
    "",
    "x",
    "0" * 32,
    "f" * 64,
    [],
    {},
    [None],
    {"type": "x"},
    "é\u2028😀",
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every member and item of a JSON value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in items:
        yield (*path, name)
        yield from places(inner, (*path, name))


def mutated(record: Record, dice: random.Random) -> Record:
    """The record with something changed, added, taken away or moved; sometimes with every hash made anew."""
    *way, last = dice.choice(list(places(record)))
    node: Any = record
    for step in way:
        node = node[step]
    match dice.randrange(5):
        case 0 if isinstance(node, dict):
            del node[last]
        case 0:
            node.pop(last)
        case 1 if isinstance(node, dict):
            node[dice.choice(["extra", "__proto__", "constructor", ""])] = dice.choice(ODD)
        case 1 if len(node) > 1:
            other = dice.randrange(len(node))
            node[last], node[other] = node[other], node[last]
        case _:
            node[last] = dice.choice(ODD)
    entries = record.get("entries")
    whole = isinstance(entries, list) and entries and all(isinstance(entry, dict) for entry in entries)
    if whole and isinstance(record.get("head"), dict) and dice.random() < 0.75:
        return chained(record)
    return record


@judged_alike
def hundreds_of_forgeries() -> list[bytes]:
    """Others with each seed of a run."""
    dice = random.Random(SEED)
    originals = [signed(make()) for make in (plain, sealed, newest, first_terms)]
    copies = (json.loads(json.dumps(originals[number % 4])) for number in range(400))
    return [json.dumps(mutated(copy, dice)).encode() for copy in copies]


def test_faults_of_every_kind_are_found_in_hundreds_of_forgeries(key_file: Path) -> None:
    judgements = by_python(hundreds_of_forgeries(), key_file)
    assert {"chain", "schema", "random", "signature", "settlement"} <= {
        check for judgement in judgements for check in failing(judgement)
    }
    entries = {entry for judgement in judgements for _, verdict, entry in judgement if verdict == "fail"}
    assert len(entries) > 15


@judged_alike
def forged_times_aborts_and_settlements() -> list[bytes]:
    return [write_record(record) for record in forgeries()]


def test_times_aborts_and_settlements_are_refuted(key_file: Path) -> None:
    judgements = by_python(forged_times_aborts_and_settlements(), key_file)
    failed = {check for judgement in judgements for check in failing(judgement)}
    assert failed == {"schema", "clocks", "settlement"}


def failing(judgement: Judgement) -> dict[str, int | None]:
    return {check: entry for check, verdict, entry in judgement if verdict == "fail"}


BY_NAME: dict[str, tuple[Change, dict[str, int | None]]] = {
    "a seed that was not committed to": (
        data("game_settled", seed="0" * 64),
        {"commitment": 19, "random": 7, "settlement": 19},
    ),
    "a seal that was not committed to": (
        data("entropy_revealed", entropy="0" * 64),
        {"commitment": 5, "random": 7, "settlement": 19},
    ),
    "an act before the start": (copied("action_taken", 0, 7), {"schema": 7, "settlement": 20}),
    "an entry dropped": (dropped("entropy_revealed"), {"schema": 6, "settlement": 18}),
}


@judged_alike
def chained_anew() -> list[bytes]:
    sources = []
    for change, _ in BY_NAME.values():
        record = sealed()
        change(record)
        sources.append(write_record(signed(chained(record))))
    return sources


def test_the_fault_is_named_though_every_hash_is_made_anew(key_file: Path) -> None:
    judgements = by_python(chained_anew(), key_file)
    assert [failing(judgement) for judgement in judgements] == [faults for _, faults in BY_NAME.values()]


@judged_alike
def out_of_order_or_by_the_wrong_actor() -> list[bytes]:
    sources = []
    for good, change, _ in [*OUT_OF_ORDER.values(), *WRONG_ACTORS.values()]:
        record = good()
        change(record)
        sources.append(json.dumps(chained(record)).encode())
    for good in (aborted_while_open, aborted_while_played, aborted):
        for reason in ("never_filled", "entropy_withheld", "all_timed_out"):
            record = good()
            limit = {} if reason == "all_timed_out" else {"limit": 0}
            of("game_aborted", actor={"system": "clock"}, data={"reason": reason, **limit})(record)
            sources.append(json.dumps(chained(record)).encode())
    return sources


def test_what_stands_out_of_order_or_is_done_by_the_wrong_actor_is_found(key_file: Path) -> None:
    judgements = [
        failing(judgement) for judgement in by_python(out_of_order_or_by_the_wrong_actor(), key_file)
    ]
    assert [place for _, _, place in [*OUT_OF_ORDER.values(), *WRONG_ACTORS.values()]] == [
        faults["schema"] for faults in judgements[:-9]
    ]
    assert ["schema" in faults for faults in judgements[-9:]].count(False) == 3


def with_sign(old: bytes, new: bytes) -> bytes:
    source = json.dumps(signed(plain()), ensure_ascii=False).encode()
    assert old in source
    return source.replace(old, new, 1)


NOT_OF_THE_LOG = {
    "nothing": b"",
    "a list": b"[]",
    "another format": with_sign(b"stele-record/1", b"stele-record/2"),
    "no entries": b'{"format": "stele-record/1", "entries": []}',
    "an entry that is none": b'{"format": "stele-record/1", "entries": [1]}',
    "cut short": with_sign(b'"people"', b'"people')[:-1],
    "something behind it": json.dumps(plain()).encode() + b" 1",
    "a byte order mark": b"\xef\xbb\xbf" + json.dumps(plain()).encode(),
    "not UTF-8": with_sign(b"Ada", b"\xff"),
    "half a character": with_sign(b"Ada", b"\\ud800"),
    "half a character in UTF-8": with_sign(b"Ada", b"\xed\xa0\x80"),
    "a control character": with_sign(b"Ada", b"A\nda"),
    "an unknown escape": with_sign(b"Ada", b"\\x41da"),
    "a key twice": with_sign(b'"format"', b'"game": 1, "format"'),
    "a key that is not ASCII": with_sign(b'"format"', '"é": 1, "format"'.encode()),
    "a float": with_sign(b'"v": 1', b'"v": 1.0'),
    "an exponent": with_sign(b'"v": 1', b'"v": 1e0'),
    "a leading zero": with_sign(b'"v": 1', b'"v": 01'),
    "a plus": with_sign(b'"v": 1', b'"v": +1'),
    "not a number": with_sign(b'"v": 1', b'"v": NaN'),
    "too large": with_sign(b'"v": 1', b'"v": 9007199254740992'),
    "far too large": with_sign(b'"v": 1', b'"v": ' + b"9" * 400),
    "a comma too many": with_sign(b'"v": 1', b'"v": 1,'),
    "no quotes": with_sign(b'"v": 1', b"v: 1"),
    "too deep": with_sign(b'"v": 1', b'"v": ' + b"[" * 99 + b"1" + b"]" * 99),
    "bottomless": with_sign(b'"v": 1', b'"v": ' + b"[" * 200_000),
}


@judged_alike
def not_of_the_log() -> list[bytes]:
    return list(NOT_OF_THE_LOG.values())


def test_what_the_log_cannot_hold_is_refused(key_file: Path) -> None:
    for what, judgement in zip(NOT_OF_THE_LOG, by_python(not_of_the_log(), key_file), strict=True):
        assert judgement[1] == ("schema", "fail", None), what
        assert {verdict for _, verdict, _ in judgement} == {"fail", "not_checked"}


@judged_alike
def written_otherwise() -> list[bytes]:
    record = signed(plain())
    return [
        json.dumps(record, indent=3).encode(),
        json.dumps(record, ensure_ascii=True).encode(),
        json.dumps(dict(reversed(record.items()))).encode() + b"\r\n\t ",
        with_sign(b'"v": 1', b'"v" : \n1'),
        with_sign(b"Ada", b"\\u0041da"),
    ]


def test_what_is_only_written_otherwise_is_read(key_file: Path) -> None:
    for judgement in by_python(written_otherwise(), key_file):
        assert [verdict for check, verdict, _ in judgement if check in ("chain", "schema", "signature")] == [
            "pass"
        ] * 3


@judged_alike
def deeper_and_deeper() -> list[bytes]:
    return [with_sign(b'"v": 1', b'"v": ' + b"[" * nested + b"]" * nested) for nested in range(88, 99)]


@judged_alike
def odd_times() -> list[bytes]:
    sources = []
    for time in ("2026-02-29", "2028-02-29", "2100-02-29", "2000-02-29", "0000-01-01", "2026-13-01", "2026-00-10",
                 "2026-04-31", "2026-04-30", "٢٠٢٦-01-01"):  # fmt: skip
        record = signed(first_terms())
        record["entries"][0]["at"] = f"{time}T00:00:00.000Z"
        sources.append(json.dumps(chained(record)).encode())
    for clock in (
        "24:00:00.000Z",
        "23:59:59.999Z",
        "23:60:00.000Z",
        "23:59:60.000Z",
        "00:00:00.000z",
        "00:00:00Z",
    ):
        record = signed(first_terms())
        record["entries"][0]["at"] = f"2020-01-01T{clock}"
        sources.append(json.dumps(chained(record)).encode())
    return sources


def test_the_calendar_is_known(key_file: Path) -> None:
    judgements = by_python(odd_times(), key_file)
    assert {judgement[1][1] for judgement in judgements} == {"pass", "fail"}


@judged_alike
def odd_orders() -> list[bytes]:
    """Lists that UTF-8 and UTF-16 sort differently, and kinds of items next to each other."""
    sources = []
    for items in (["\uffee", "😀", "é", "a"], [1, 10, 2, -3], [[1], {"a": 1}, None, True, "x", 0]):
        for label in ("deck/9", "\uffee", "😀" * 63):
            record = signed(plain())
            draws = record["entries"][-2]["data"]["random"]
            draws.append({"label": label, "result": items})
            sources.append(json.dumps(chained(record)).encode())
    return sources


# -- signatures and the command line ----------------------------------------------------------------------------------


@judged_alike
def signed_by_whom() -> list[bytes]:
    stolen = signed(plain(), THEIRS)
    stolen["head"]["key_id"] = OURS.key_id
    spoiled = signed(plain())
    spoiled["head"]["signature"] = "00" * 64
    records = [signed(plain()), plain(), signed(plain(), THEIRS), stolen, spoiled]
    return [write_record(record) for record in records]


def test_signatures_are_checked(key_file: Path) -> None:
    judgements = by_python(signed_by_whom(), key_file)
    verdicts = [
        verdict for judgement in judgements for check, verdict, _ in judgement if check == "signature"
    ]
    assert verdicts == ["pass", "not_checked", "fail", "fail", "fail"]


def test_node_and_a_browser_say_of_every_one_of_these_records_what_python_says(key_file: Path) -> None:
    sources = [source for case in CASES for source in case()]
    python, node, chromium = by_python(sources, key_file), by_node(sources), by_chromium(sources)
    assert len(python) == len(node) == len(chromium) == len(sources) > 500
    for source, one, other, third in zip(sources, python, node, chromium, strict=True):
        assert one == other == third, source[:4000]


def run(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*SCRIPTS[script], *arguments], capture_output=True, text=True, check=False, timeout=60
    )


def test_both_report_the_same_to_programs_and_to_people(tmp_path: Path, key_file: Path) -> None:
    good, forged = tmp_path / "good.json", tmp_path / "forged.json"
    good.write_bytes(write_record(signed(plain())))
    forged.write_bytes(write_record(signed(plain())).replace(b"Ada", b"Eve"))
    for file, code in ((good, 2), (forged, 1)):
        for flags in ((), ("--json",), ("--key", str(key_file)), ("--json", "--key", str(key_file))):
            python, node = (run(script, *flags, str(file)) for script in SCRIPTS)
            assert python.stdout == node.stdout
            assert python.returncode == node.returncode == code
            assert python.stderr == node.stderr == ""


@pytest.mark.parametrize(
    "arguments",
    [(), ("--key",), ("a", "b"), ("--nonsense", "a"), ("missing.json",), ("a", "--key", "missing")],
)
def test_both_refuse_to_run_on_nothing(arguments: tuple[str, ...]) -> None:
    for script in SCRIPTS:
        ran = run(script, *arguments)
        assert (ran.returncode, ran.stdout) == (2, "")
        assert ran.stderr
        assert "Error:" not in ran.stderr


BROWSER = """
import { readFile } from "node:fs/promises";
const [script, record, keys] = process.argv.slice(1);
const files = [await readFile(record), await readFile(keys)];
const say = console.log;
for (const name of ["process", "Buffer", "require", "global"]) delete globalThis[name];
const { readKeys, readRecord, verdict, verify } = await import(script);
const checks = await verify(readRecord(files[0]), { keys: await readKeys(files[1]) });
say(JSON.stringify([verdict(checks), checks.filter((check) => check.verdict === "pass").length]));
"""


def test_the_script_needs_nothing_that_a_browser_lacks(tmp_path: Path, key_file: Path) -> None:
    record = tmp_path / "record.json"
    record.write_bytes(write_record(signed(plain())))
    script = (ROOT / "replays/audit/verify.mjs").as_uri()
    command = [node(), "--input-type=module", "-e", BROWSER, script, str(record), str(key_file)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert json.loads(ran.stdout or "null") == ["incomplete", 7], ran.stderr


def test_the_script_imports_nothing_but_what_node_brings() -> None:
    source = (ROOT / "replays/audit/verify.mjs").read_text()
    imported = {part.split('"')[1] for part in source.split("import(")[1:]}
    assert imported == {"node:fs/promises", "node:url", "node:crypto"}
    assert "\nimport " not in source
