"""The README's commands do what it says when they are pasted."""

import re
import subprocess
from pathlib import Path

from tests.system.stele import Stele

ROOT = Path(__file__).parents[2]


def shell_blocks() -> list[str]:
    return re.findall(r"```sh\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)


def test_the_first_block_names_targets_that_the_makefile_has() -> None:
    targets = re.findall(r"^make (\w+)", shell_blocks()[0], re.MULTILINE)
    makefile = (ROOT / "Makefile").read_text()
    assert targets == ["up", "test"]
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets)


def test_the_game_in_five_requests_plays_when_pasted(stele: Stele, tmp_path: Path) -> None:
    game = (
        shell_blocks()[1]
        .replace("http://127.0.0.1:8000", stele.url)
        .replace("curl -s", "curl -sS --fail-with-body")
    )
    assert game.count("curl") == 5
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", game], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr + done.stdout
    assert '"type":"action_taken"' in done.stdout
    assert '"hand":null' in done.stdout
