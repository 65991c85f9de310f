"""The file of `<stele-board>`: one script, small, for pages of every origin, made of modules in one way only."""

import gzip
from pathlib import Path

import pytest

from services.api.bundling import bundled_script
from services.api.page import ELEMENT, ELEMENT_MODULE, WEB, site
from tests.api.client import Api

LARGEST = 40_000
"""Bytes that a page loads, compressed."""


def test_the_element_is_one_small_file_for_every_page() -> None:
    file = site().files[ELEMENT]
    assert file.body == bundled_script(WEB, ELEMENT_MODULE).encode()
    assert len(file.gzipped) < LARGEST
    assert gzip.decompress(file.gzipped) == file.body
    for word in (b"\nimport ", b"\nexport ", b"import(", b"import.meta", b"localStorage", b"innerHTML"):
        assert word not in file.body


def test_pages_of_every_origin_may_load_it_and_ask_again_only_for_another(quiet_api: Api) -> None:
    answer = quiet_api.get(f"/{ELEMENT}", Origin="https://anywhere.example")
    assert answer.body == site().files[ELEMENT].body
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    again = quiet_api.get(f"/{ELEMENT}", **{"If-None-Match": answer.headers["etag"]})
    assert again.status == 304


def written(folder: Path, **modules: str) -> Path:
    for name, text in modules.items():
        (folder / f"{name}.js").write_text(text)
    return folder


def test_a_module_stands_once_and_after_what_it_imports(tmp_path: Path) -> None:
    root = written(
        tmp_path,
        first='import { two as deux } from "./two.js";\nimport * as three from "./three.js";\nthree.go(deux);\n',
        two='import { go } from "./three.js";\n// Said to readers only.\nexport const two = go(2);\n',
        three="/** Goes. */\nexport function go(value) {\n  return value;\n}\n",
    )
    script = bundled_script(root, "first.js")
    assert script == bundled_script(root, "first.js")
    assert [script.count(f"const ${name}_js =") for name in ("first", "two", "three")] == [1, 1, 1]
    assert script.index("const $three_js") < script.index("const $two_js") < script.index("const $first_js")
    assert "const { two: deux } = $two_js;" in script
    assert "Said to readers" not in script


@pytest.mark.parametrize(
    "text",
    [
        'const late = await import("./late.js");\n',
        "export default 1;\n",
        'export { one } from "./late.js";\n',
        "const here = import.meta.url;\n",
        'import { one } from "./first.js";\n',
    ],
)
def test_what_one_script_cannot_do_is_refused(tmp_path: Path, text: str) -> None:
    root = written(tmp_path, first=text, late="export const one = 1;\n")
    with pytest.raises(ValueError, match=r"first\.js"):
        bundled_script(root, "first.js")
