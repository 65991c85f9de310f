"""`stele picture`: boards as files, whole games as films."""

from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest
from click.testing import CliRunner, Result
from PIL import Image

from services.cli import main
from services.core.rasterizing import pixels
from tests.golden.records import HERE, golden

RECORD = HERE / "babel" / "close_fight_2000.json"
LAST = len(golden(RECORD)["entries"])


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["picture", *map(str, arguments)])


def test_a_board_becomes_an_svg(tmp_path: Path) -> None:
    out = tmp_path / "end.svg"
    assert run(RECORD, out, "--lang", "fr", "--theme", "dark").exit_code == 0
    root = fromstring(out.read_text(encoding="utf-8"))
    assert root.attrib["data-theme"] == "dark"
    assert str(root[0].text).startswith("Babel, tour ")
    assert "victoire : Ben" in str(root[0].text)


def test_a_seat_sees_its_own_hand_alone_and_without_eyes_everything_is_open(tmp_path: Path) -> None:
    out = tmp_path / "x.svg"
    shown = {}
    for viewer in ("0", "1", "spectator", None):
        assert run(RECORD, out, "--version", "6", *(("--as", viewer) if viewer else ())).exit_code == 0
        drawn = out.read_text(encoding="utf-8")
        shown[viewer] = {seat for seat in (0, 1) if f'id="hand-{seat}-' in drawn}
        assert len(drawn) > 1000
    assert shown["spectator"] == set()
    assert (shown["0"], shown["1"]) == ({0}, {1})
    assert shown[None] >= {0}


def test_a_board_becomes_pixels(tmp_path: Path) -> None:
    out = tmp_path / "board.png"
    result = run(RECORD, out, "--width", "500")
    assert result.exit_code == 0, result.output
    with Image.open(out) as image:
        assert (image.format, image.width) == ("PNG", 500)
        assert len(image.convert("RGB").getcolors(500 * 500) or ()) > 20


def test_words_are_printed_with_our_own_fonts() -> None:
    """No font of the machine is needed: letters leave ink."""
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 40" font-family="sans-serif">{}</svg>'
    assert pixels(svg.format('<text x="5" y="30">Medes</text>'), 100) != pixels(svg.format(""), 100)


@pytest.mark.parametrize("ending", [".gif", ".webp"])
def test_a_whole_game_becomes_a_film(tmp_path: Path, ending: str) -> None:
    out = tmp_path / f"film{ending}"
    result = run(RECORD, out, "--width", "200", "--seconds", "0.2", "--version", "12")
    assert result.exit_code == 0, result.output
    with Image.open(out) as image:
        assert image.width == 200
        frames = image.n_frames  # type: ignore[attr-defined]  # of formats that move
        assert 5 <= frames <= 12 - 3
        image.seek(frames - 1)
        image.load()
        assert image.info["duration"] == 4000


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("no-such-thing", "x.png"), "no-such-thing is neither a file nor a game's id."),
        ((RECORD, "x.jpeg"), "x.jpeg should end in one of: .svg, .png, .gif, .webp."),
        ((RECORD, "x.png", "--version", "2"), f"has a board in the versions 4 to {LAST}, not in 2."),
        ((RECORD, "x.webp", "--version", "999"), f"has a board in the versions 4 to {LAST}, not in 999."),
        ((RECORD, "x.png", "--as", "2"), "--as takes a seat from 0 to 1, or `spectator`, not '2'."),
        ((RECORD, "no/such/folder/x.png"), "no/such/folder/x.png cannot be written"),
        ((Path(__file__), "x.png"), "cannot be used"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_one_line(arguments: tuple[str | Path, ...], said: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, len(result.output.splitlines())) == (2, 1), result.output
    assert said in result.output
