"""Writes `stele_client/_sync` from `stele_client/_async`: the same client, without an event loop.

python3 make_sync.py
"""

import re
from pathlib import Path

PACKAGE = Path(__file__).parent / "src" / "stele_client"
WORDS = [
    (r"from asyncio import sleep(, wait_for)?", "from time import sleep"),
    (r"await wait_for\((\w[\w.]*)\.recv\(\), (\w+)\)", r"\1.recv(timeout=\2)"),
    (r"AsyncExitStack", "ExitStack"),
    (r"enter_async_context", "enter_context"),
    (r"websockets\.asyncio", "websockets.sync"),
    (r"\basync (def|for|with) ", r"\1 "),
    (r"\bawait ", ""),
    (r"Awaitable\[(\w+)\]", r"\1"),
    (r", Awaitable\b", ""),
    (r"\bAsyncGenerator\[([\w |]+), None\]", r"Generator[\1, None, None]"),
    (r"\bAsync(Generator|Iterator|Stele|BatchItem|Game|Table|Turn|Transport|Caller|Line)\b", r"\1"),
    (r"\bhttpx\.AsyncClient\b", "httpx.Client"),
    (r"__a(enter|exit)__", r"__\1__"),
    (r"\ba(close|closing|read|iter_bytes)\b", r"\1"),
    (r"_async\b", "_sync"),
]
FACE = '"""The client for programs without an event loop: made by `make_sync.py`, not to be edited."""\n'


def without_a_loop(source: str) -> str:
    """The module that does the same, and waits where it stands."""
    for word, plain in WORDS:
        source = re.sub(word, plain, source)
    return source


def modules() -> dict[Path, str]:
    """What `_sync` holds, by path."""
    made = {
        PACKAGE / "_sync" / module.name: without_a_loop(module.read_text(encoding="utf-8"))
        for module in sorted((PACKAGE / "_async").glob("*.py"))
    }
    return made | {PACKAGE / "_sync" / "__init__.py": FACE}


if __name__ == "__main__":
    for path, source in modules().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(source, encoding="utf-8")
