"""QR codes, drawn by our own code: what is pinned here was read back by an independent decoder (jsQR 1.4.0)."""

import json
import subprocess
from pathlib import Path

from tests.node import node

QR = Path(__file__).parents[2] / "web" / "qr.js"
PINNED = {
    12: (21, "a3492ff2f4038a10e384637835193cab2a365f739e1d4c615b90855fb98d887c"),
    100: (37, "0e4bbda5630d0df5933ac74035c9dba5285a4475bca91f27e51bfb6b259085fe"),
    170: (49, "d43dbbfde9352f5e15996893f28c707a2d913d43d175aacef9acf74ce9956e45"),
    260: (57, "ea2207c1c28b1d26149b050727845deda1ca0cce26df4c656e804fd4afc214f3"),
    505: (77, "71a48b14fa4672c8fcf3e07d8045b4f6028f66f579b89ec491a7a30e1f6f7be2"),
}
"""By length of a text: the size of its code, and the SHA-256 of its modules."""
READ = """
const { modules } = await import(process.argv[1]);
const { createHash } = await import("node:crypto");
const text = (length) => Array.from({ length }, (_, at) => String.fromCharCode(97 + (at * 7) % 26)).join("");
const digest = (rows) => createHash("sha256").update(rows.map((row) => row.map(Number).join("")).join("\\n")).digest("hex");
const about = (rows) => rows && [rows.length, digest(rows)];
console.log(JSON.stringify(process.argv.slice(2).map((length) => about(modules(text(Number(length)))))));
"""


def test_codes_of_every_kind_of_version_are_as_a_reader_reads_them(tmp_path: Path) -> None:
    module = tmp_path / "qr.mjs"
    module.write_bytes(QR.read_bytes())
    command = [node(), "--input-type=module", "-e", READ, module.as_uri(), *map(str, PINNED), "521"]
    ran = subprocess.run(command, capture_output=True, check=True, timeout=60)
    *codes, too_long = json.loads(ran.stdout)
    assert codes == [list(code) for code in PINNED.values()]
    assert too_long is None
