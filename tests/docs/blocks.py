"""The code on the pages: every fenced block of every page, with its language and its place."""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)
INLINE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
APART = {".venv", "node_modules", ".git", ".hypothesis", ".pytest_cache", "build"}


class Block(NamedTuple):
    """A piece of code on a page."""

    page: str
    line: int
    language: str
    code: str

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"


def pages() -> dict[str, str]:
    """Every page of the project, by its path."""
    found = (page for page in sorted(ROOT.rglob("*.md")) if not APART & set(page.relative_to(ROOT).parts))
    return {page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8") for page in found}


def blocks(page: str, text: str) -> list[Block]:
    """The blocks of a page, in order."""
    return [
        Block(page, text.count("\n", 0, fence.start()) + 1, fence[2], fence[3])
        for fence in FENCE.finditer(text)
    ]


def inline(text: str) -> list[str]:
    """What stands in a page as code in the midst of a sentence."""
    return INLINE.findall(FENCE.sub("", text))


PAGES = pages()
BLOCKS = [block for page, text in PAGES.items() for block in blocks(page, text)]
