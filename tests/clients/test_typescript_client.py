"""The TypeScript client: its types are those of the document, it does by itself what its README says, it plays."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.chromium import told_by_page
from tests.clients.roles import HOST, ROLES
from tests.clients.typescript import SOURCE, built, program, run
from tests.node import HERE as PINNED
from tests.node import node, node_environment, package
from tests.node.types import write_types
from tests.seeding import rotated
from tests.system.stele import Stele, stele_up
from tests.system.test_every_game import SHORT

SCRIPTS = Path(__file__).parent / "typescript"
EXAMPLES = Path("examples").resolve()
RULESETS = ["babel", "aton", "temple_of_five", "sa_re"]
KILLED = rotated(["aton", "temple_of_five", "babel", "sa_re"])
KILLED_AFTER = 17


def test_the_types_are_those_of_the_document(tmp_path: Path) -> None:
    write_types(Path("docs/openapi.json").resolve(), tmp_path / "schema.ts")
    assert (tmp_path / "schema.ts").read_text() == (SOURCE / "src/schema.ts").read_text(), (
        "run `make openapi`"
    )


def test_it_is_built_with_what_the_tests_have_pinned() -> None:
    pinned = json.loads((PINNED / "package.json").read_bytes())["dependencies"]
    wanted = json.loads((SOURCE / "package.json").read_bytes())["devDependencies"]
    assert wanted.items() <= pinned.items()


def test_what_it_does_by_itself(served: Stele) -> None:
    tests = program(SCRIPTS / "features.test.mjs")
    env = node_environment() | {"STELE_URL": served.url, "STELE_HOST": HOST}
    command = [node(), "--test", str(tests)]
    done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=240, check=False)
    assert done.returncode == 0, done.stdout


def test_the_code_of_its_readme_compiles_and_plays(served: Stele) -> None:
    (code,) = re.findall(r"```ts\n(.*?)```", (SOURCE / "README.md").read_text(), re.DOTALL)
    source = built() / "readme.mts"
    source.write_text(code.replace("http://127.0.0.1:8000", served.url))
    forms = ["--strict", "--target", "es2022", "--module", "nodenext", "--skipLibCheck"]
    run(node(), str(package("typescript") / "bin/tsc"), *forms, str(source))
    run(node(), str(source.with_suffix(".mjs")))


# -- over a server that dies on the way ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def mortal() -> Iterator[Stele]:
    """A server of which parts may be killed."""
    with stele_up(**ROLES) as server:
        yield server


@pytest.mark.parametrize("ruleset", KILLED)
def test_it_plays_a_whole_game_while_the_api_is_killed(mortal: Stele, ruleset: str) -> None:
    options = json.dumps(SHORT.get(ruleset) or {})
    command = [node(), str(program(SCRIPTS / "killed.mjs")), mortal.url, ruleset, options]
    acted = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=node_environment()) as playing:
        assert playing.stdout
        for line in playing.stdout:
            acted += line == "acted\n"
            if line == "acted\n" and acted == KILLED_AFTER:
                assert mortal.kill("services.api")
    assert playing.returncode == 0
    assert acted > KILLED_AFTER
    seen = json.loads(line)
    assert seen["verdict"] == "pass"
    assert [seq for seq, *_ in seen["log"]] == list(range(1, len(seen["log"]) + 1))
    assert seen["events"] == seen["log"], "nothing was missed while the server was away"
    actions = [[seq, digest] for seq, digest, kind in seen["log"] if kind == "action_taken"]
    assert sorted(seen["answers"]) == actions, "each action that was answered stands once"
    assert seen["frames"] == sorted(set(seen["frames"]))
    assert seen["frames"][-1] == len(seen["log"])


@pytest.mark.parametrize("ruleset", rotated(RULESETS))
def test_the_example_bot_plays_a_game_to_its_end(served: Stele, ruleset: str) -> None:
    bot = EXAMPLES / "node/bot.mjs"
    assert len(bot.read_text().splitlines()) < 60
    said = run(node(), str(program(bot)), served.url, ruleset, json.dumps(SHORT.get(ruleset) or {}))
    told = json.loads(said)
    assert told["outcome"]["scores"]
    assert sum(seat["moves"] for seat in told["played"]) > 5


PAGE = """<!doctype html>
<script type="importmap">{ "imports": { "@stele/client": "/client/index.js" } }</script>
<script type="module">
import { Stele } from "@stele/client";
const { seats, table } = await new Stele("SERVER").create({
  ruleset: "aton", players: [{ name: "Ada" }, { name: "Ben" }],
});
const seen = [];
for await (const turn of seats[0].table.turns()) {
  seen.push(turn.view.players[0].hand.length);
  await turn.act(turn.actions.at(-1));
  await seats[1].table.resign();
}
const { outcome } = await table.look();
await fetch("/told", { method: "POST", body: JSON.stringify({ seen, outcome }) });
</script>
"""


def test_it_plays_in_a_browser_on_another_origin() -> None:
    with stele_up(STELE_CORS_ORIGINS="*") as server:
        files = {f"/client/{path.name}": path.read_bytes() for path in dist().glob("*.js")}
        told = json.loads(told_by_page(files | {"/page.html": PAGE.replace("SERVER", server.url).encode()}))
    assert told["seen"] == [4]
    assert told["outcome"]["winners"] == [0]


def dist() -> Path:
    return built() / "node_modules/@stele/client/dist"
