"""Previews of links as other programs read them: the head alone, of the first 150 kB, without running a script."""

import re
from html import unescape
from html.parser import HTMLParser
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit

from tests.api.client import Answer, Api

READ = 150_000
"""Bytes of a page that previewers read."""
JSON_OEMBED = "application/json+oembed"


class Head(HTMLParser):
    """What stands in the head of a page."""

    def __init__(self, page: Answer) -> None:
        super().__init__()
        self.title = ""
        self.meta: dict[str, str] = {}
        self.links: list[dict[str, str]] = []
        self._inside = ""
        self._over = False
        assert page.status == 200
        assert page.headers["content-type"].startswith("text/html")
        self.feed(page.body[:READ].decode("utf-8", "ignore"))
        assert self._over, "the head ends in what is read of the page"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if self._over:
            return
        self._inside = tag
        if tag == "meta" and "content" in given:
            name = given.get("property") or given.get("name", "")
            assert name not in self.meta or not name, f"{name} is said twice"
            self.meta[name] = given["content"]
        elif tag == "link":
            self.links.append(given)

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""
        self._over = self._over or tag == "head"

    def handle_data(self, data: str) -> None:
        if self._inside == "title":
            self.title += data


class Card(NamedTuple):
    """What a reader sees in place of a link."""

    title: str
    text: str
    image: str | None
    size: tuple[int, int] | None


def discord(page: Answer) -> Card:
    """Open Graph, with the large picture only where a Twitter card asks for it."""
    meta = Head(page).meta
    is_large = meta.get("twitter:card") == "summary_large_image"
    size = (int(meta["og:image:width"]), int(meta["og:image:height"])) if is_large else None
    return Card(meta["og:title"], meta["og:description"], meta.get("og:image"), size)


def slack(page: Answer) -> Card:
    """A Twitter card first, then Open Graph."""
    meta = Head(page).meta

    def said(name: str) -> str | None:
        return meta.get(f"twitter:{name}") or meta.get(f"og:{name}")

    title, text = said("title"), said("description")
    assert title
    assert text
    return Card(title, text, said("image"), None)


def wordpress_link(page: Answer) -> str | None:
    """The oEmbed address that a page names in its head, found as by a program that parses no HTML."""
    head = page.body[:READ].decode("utf-8", "ignore").partition("</head>")[0]
    for link in re.findall(r"<link([^<>]+)/?>", head):
        given = dict(re.findall(r'([\w-]+)\s*=\s*"([^"]*)"', link))
        if given.get("type") == JSON_OEMBED and given.get("href"):
            return unescape(given["href"])
    return None


def wordpress(api: Api, page: Answer, url: str, width: int = 500, height: int = 750) -> Any:
    """What is asked of that address, and what of its answer is let through: one frame, and nothing else."""
    link = wordpress_link(page)
    assert link
    parts = urlsplit(link)
    wanted = dict(parse_qsl(parts.query)) | {"maxwidth": str(width), "maxheight": str(height), "url": url}
    answer = api.get(f"{parts.path}?{urlencode(wanted | {'dnt': '1', 'format': 'json'})}", Host=parts.netloc)
    assert answer.status == 200, answer
    told = answer.json
    assert told["type"] == "rich"
    assert re.fullmatch(
        r"<iframe( (src|width|height|title|frameborder|loading)=\"[^\"<>]*\")*></iframe>", told["html"]
    )
    assert told["width"] <= width
    assert told["height"] <= height
    assert told.get("thumbnail_width", 0) <= width
    assert told.get("thumbnail_height", 0) <= height
    return told
