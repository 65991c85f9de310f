"""An operator who lies with every key it holds, and everybody who may catch it."""

import json
import subprocess
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from games.kernel import Registry
from replays.audit.audit import audit
from replays.audit.heads import Trust
from replays.audit.verify import LogTrust, Tree, game_leaf, leaves_of, read_checkpoint, tile_path
from replays.record import Record, write_record
from replays.transparency.notes import NoteSigner, submission_text
from services.core.log_files import LogFiles
from services.core.witness import Witness
from tests.events.logs import TOYS
from tests.node import node
from tests.replays.test_heads import KEYS, signed
from tests.replays.test_javascript import SCRIPTS

ROOT = Path(__file__).parents[2]
LOG_KEY = bytes(range(32))
SIGNER = NoteSigner("example.org/log", LOG_KEY)
WITNESS = NoteSigner("club.example/witness", bytes(range(1, 33)))
OTHER_GAMES = 5

BROWSER = """
const [module, visits] = process.argv.slice(1);
const { readFile } = await import("node:fs/promises");
const store = new Map();
globalThis.localStorage = { getItem: (key) => store.get(key) ?? null, setItem: (key, value) => store.set(key, value) };
const { checkLogHistory } = await import(module);
const { readLogKeys } = await import(new URL("verify.mjs", module));
let found = null;
for (const folder of JSON.parse(visits)) {
  const request = async (_method, path) => new Response(await readFile(`${folder}${path.slice("/tlog".length)}`));
  found = await checkLogHistory({ request }, readLogKeys(await readFile(`${folder}/keys.json`)));
}
console.log(found.verdict);
"""


class Published(NamedTuple):
    """A transparency log as one visitor is shown it."""

    files: LogFiles
    folder: Path

    @property
    def note(self) -> str:
        latest = self.files.latest_checkpoint()
        assert latest
        return latest.note

    @property
    def tree(self) -> Tree:
        return self.files.tree(read_checkpoint(self.note).size)


class Operator:
    """Publishes logs and records. Nothing that it does needs more than the keys of a server."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._logs = 0

    def publishes(
        self, *records: Record, started: Sequence[Record] = (), others: int = OTHER_GAMES
    ) -> Published:
        """A log made anew, that holds these records, those games that only started, and games of others."""
        self._logs += 1
        files = LogFiles(self.directory / str(self._logs))
        files.begin(SIGNER)
        leaves = [game_leaf(f"other-{number}", "settled", 9, f"{number:064x}") for number in range(others)]
        leaves += [leaves_of(record)["created"] for record in started]
        for record in records:
            leaves += leaves_of(record).values()
        files.append(leaves)
        files.publish(SIGNER, self._logs)
        folder = self.directory / f"web-{self._logs}"
        folder.mkdir()
        published = Published(files, folder)
        keys = {"logs": [{"origin": SIGNER.name, "public_key": SIGNER.public.hex(), "algorithm": "Ed25519"}]}
        (folder / "keys.json").write_text(json.dumps(keys | {"keys": []}))
        (folder / "checkpoint").write_text(published.note)
        width = published.tree.size
        tile = folder / tile_path(0, 0, width)
        tile.parent.mkdir(parents=True)
        tile.write_bytes(files.read_tile(0, 0, width))
        return published

    def hands_out(self, record: Record, log: Published, logged: Record) -> Record:
        """The record as the server serves it: signed, and with the proofs of what its log holds of the game."""
        return signed(record) | {
            "proofs": {kind: log.files.proof(leaf) for kind, leaf in leaves_of(logged).items()}
        }


class World(NamedTuple):
    """What people hold when the operator shows them something: what they saw before, and what they see now."""

    before: Published
    now: Published
    record: Record | None
    """Of the game in dispute, if it is shown at all."""
    parent: Record | None = None
    rulesets: Registry = TOYS


Catcher = Callable[[World, Path], str]


def trust(world: World, *, kept: bool) -> LogTrust:
    """What an auditor knows: the key of the log, and the checkpoint it kept if it did."""
    checkpoints = [read_checkpoint(world.before.note)] if kept else []
    return LogTrust(
        {SIGNER.name: SIGNER.public}, checkpoints=checkpoints, tiles=world.now.files.read_tile, required=True
    )


def failing(checks: Sequence[Mapping[str, Any]]) -> str:
    return ", ".join(check["check"] for check in checks if check["verdict"] == "fail") or "no"


def by_audit(world: World, _folder: Path, *, kept: bool = False) -> str:
    if world.record is None:
        return "no"
    found = audit(
        world.record, world.rulesets, None, Trust(KEYS), None, trust(world, kept=kept), world.parent
    )
    return failing(found.checks)


def by_verifiers(world: World, folder: Path, *, kept: bool = False) -> str:
    """Both stand-alone verifiers, which must be of one mind."""
    if world.record is None:
        return "no"
    record, keys = folder / "record.json", world.now.folder / "keys.json"
    record.write_bytes(write_record(world.record))
    options = (
        ["--checkpoint", str(world.before.folder / "checkpoint"), "--log", str(world.now.folder)]
        if kept
        else []
    )
    found = set()
    for program in SCRIPTS.values():
        command = [*program, str(record), "--key", str(keys), "--require-proofs", "--json", *options]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        found.add(
            failing([check for check in json.loads(done.stdout)["checks"] if check["check"] != "signature"])
        )
    (agreed,) = found
    return agreed


def by_returning_browser(world: World, folder: Path) -> str:
    web = folder / "web"
    web.mkdir()
    for source in ("web/log_history.js", "replays/audit/verify.mjs"):
        (web / Path(source).name).write_bytes((ROOT / source).read_bytes())
    visits = json.dumps([str(world.before.folder), str(world.now.folder)])
    module = (web / "log_history.js").as_uri()
    command = [node(), "--input-type=module", "-e", BROWSER, module, visits]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    return "history" if done.stdout.strip() == "fail" else "no"


def by_witness(world: World, folder: Path) -> str:
    witness = Witness(WITNESS, {SIGNER.name: SIGNER.public}, folder / "witness")
    before, now = world.before, world.now
    assert witness.add_checkpoint(submission_text(0, [], before.note)).status == 200
    size = before.tree.size
    proof = now.tree.consistency(size) if now.tree.size >= size else []
    answer = witness.add_checkpoint(submission_text(size, proof, now.note))
    return "no" if answer.status == 200 else "refuses"


CATCHERS: dict[str, Catcher] = {
    "`stele audit`": by_audit,
    "`stele audit --checkpoint`": partial(by_audit, kept=True),
    "`verify.py`, `verify.mjs`": by_verifiers,
    "the same `--checkpoint`": partial(by_verifiers, kept=True),
    "returning browser": by_returning_browser,
    "witness": by_witness,
}
