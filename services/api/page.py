"""The page that people play on: the files of `web/`, read and compressed once, and handed out as they are.

The page is served at `/` and at its own routes. What it loads lies below an address that names the content of all its
files (`/web/<digest>/…`), so that browsers may keep them for ever and never mix two versions; the same files are found
at `/web/…` by whoever wants the latest.
"""

import gzip
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from flask import Flask, Response, abort

from services.api.answers import answer, negotiated
from services.api.context import this_request
from services.api.packing import SMALLEST

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"
VERIFIER = ROOT / "replays/audit/verify.mjs"
"""The page checks records with the very file that auditors run."""
INDEX = "index.html"
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob: data:",  # boards, and what the page draws of them
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
"""What a browser allows the page: nothing that is not of this server, and no script or style but its files."""
SAFE = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
WORKER = "offline.js"
"""The script by which the page opens without a server: it must be allowed to look after the whole of it."""
FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
ROUTES = ("/play", "/replay", "/audit")
"""Addresses of the page's own: it says itself what is shown there."""


class File(NamedTuple):
    """A file as it goes out."""

    type: str
    tag: str
    body: bytes
    gzipped: bytes
    """The body itself, if it is too small to gain by it."""


class Site(NamedTuple):
    """Everything that the page is made of."""

    page: File
    files: dict[str, File]
    """By what stands after `/web/`."""
    digest: str
    """The first part of the addresses that may be kept for ever."""


@cache
def site() -> Site:
    """The files of `web/` and the verifier, as they lie there when the server starts."""
    sources = {path.relative_to(WEB).as_posix(): path for path in WEB.rglob("*") if path.suffix in TYPES}
    sources[VERIFIER.name] = VERIFIER
    bodies = {name: path.read_bytes() for name, path in sorted(sources.items())}
    digest = sha256(b"".join(sha256(body).digest() for body in bodies.values())).hexdigest()[:16]
    index = bodies.pop(INDEX).replace(b'"/web/', b'"/web/%s/' % digest.encode())
    files = {name: packed_file(name, body) for name, body in bodies.items()}
    return Site(packed_file(INDEX, index), files, digest)


def packed_file(name: str, body: bytes) -> File:
    small = len(body) < SMALLEST
    gzipped = body if small else gzip.compress(body, 9, mtime=0)
    return File(TYPES[Path(name).suffix], sha256(body).hexdigest()[:32], body, gzipped)


def serve_page(app: Flask) -> None:
    """The page and its files, for `app`."""
    site()  # read now: no request waits for it

    @app.get("/")
    def home() -> Response:
        """The page for who wants HTML, for others where to go from here."""
        offered = ("application/json", "text/html")
        if this_request().accept_mimetypes.best_match(offered) == "text/html":
            return negotiated(page())
        return negotiated(answer(SIGNPOST))

    def page_inside(rest: str = "") -> Response:
        return page()

    for route in ROUTES:
        for rule in (route, f"{route}/<path:rest>"):
            app.add_url_rule(rule, "page_inside", page_inside)

    @app.get("/web/<path:name>")
    def page_file(name: str) -> Response:
        there = site()
        first, _, rest = name.partition("/")
        lasting = first == there.digest
        wanted = rest if lasting else name
        response = sent(wanted_file(wanted), FOR_EVER if lasting else ASK_AGAIN)
        if wanted == WORKER:
            response.headers["Service-Worker-Allowed"] = "/"
        return response


SIGNPOST = {
    "name": "Stele",
    "version": version("stele"),
    "links": {
        "document": "/openapi.json",
        "documentation": "/docs",
        "games": "/v1/games",
        "rulesets": "/v1/rulesets",
        "keys": "/.well-known/stele-keys.json",
    },
}


def page() -> Response:
    """The page itself: browsers ask for it each time, and for nothing else unless it has changed."""
    return sent(site().page, ASK_AGAIN)


def wanted_file(name: str) -> File:
    return site().files.get(name) or abort(404)


def sent(file: File, caching: str) -> Response:
    """A file, compressed if the browser takes it so; 304 if it has it already."""
    current = this_request()
    squeezed = file.gzipped is not file.body and bool(current.accept_encodings["gzip"])
    tag = f"{file.tag}-gzip" if squeezed else file.tag
    if current.if_none_match.contains_weak(tag):
        response = Response(status=304)
    else:
        response = Response(file.gzipped if squeezed else file.body, content_type=file.type)
        if squeezed:
            response.headers["Content-Encoding"] = "gzip"
    response.headers.update(SAFE)
    response.headers["Cache-Control"] = caching
    response.headers["Vary"] = "Accept-Encoding"
    response.set_etag(tag)
    return response
