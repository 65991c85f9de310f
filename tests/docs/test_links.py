"""No link of a page leads nowhere: to no file, or to no heading of it."""

import re
from pathlib import Path

import pytest

from tests.docs.blocks import FENCE, INLINE, PAGES, ROOT

LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|srcset|href)=\"([^\"]+)\"")
HEADING = re.compile(r"^#{1,6} +(.+)$", re.MULTILINE)
ANCHOR = re.compile(r"<a (?:id|name)=\"([^\"]+)\"")


def slug(heading: str) -> str:
    """The anchor that a heading gets where pages are read."""
    words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
    return re.sub(r"[^\w\- ]", "", words).strip().replace(" ", "-")


def anchors(page: Path) -> set[str]:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    found: dict[str, int] = {}
    for heading in HEADING.findall(text):
        found[slug(heading)] = found.get(slug(heading), 0) + 1
    more = {f"{name}-{number}" for name, times in found.items() for number in range(1, times)}
    return {*found, *more, *ANCHOR.findall(text)}


def links(page: str) -> list[str]:
    found = LINK.findall(INLINE.sub("", FENCE.sub("", PAGES[page])))
    return [link or source for link, source in found if not re.match(r"[a-z]+:", link or source)]


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_somewhere(page: str) -> None:
    wrong = []
    for link in links(page):
        path, _, anchor = link.partition("#")
        target = (ROOT / page).parent / path if path else ROOT / page
        is_there = target.exists() and (not anchor or target.suffix != ".md" or anchor in anchors(target))
        if not is_there:
            wrong.append(link)
    assert not wrong
