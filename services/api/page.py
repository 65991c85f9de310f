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

from games.kernel import Refusal
from services.api.bundling import bundled_script
from services.api.compression import MIN_COMPRESSED_BYTES
from services.api.responses import json_response
from services.api.table import TABLE
from services.bodies.server import IndexBody
from services.http.messages import Response, response, this_request

route = TABLE.section("page")

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"
VERIFIER = ROOT / "replays/audit/verify.mjs"
"""The page checks records with the very file that auditors run."""
INDEX = "index.html"
ELEMENT = "element/stele-board.js"
"""The custom element `<stele-board>`: one script, made of the page's own modules."""
ELEMENT_MODULE = "element/stele_board.js"
CONTENT_TYPES = {
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
    "content_security_policy": POLICY,
    "cross_origin_opener_policy": "same-origin",
    "referrer_policy": "no-referrer",
    "x_content_type_options": "nosniff",
}
SERVICE_WORKER = "offline.js"
"""The script by which the page opens without a server: it must be allowed to look after the whole of it."""
FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"


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
    sources = {
        path.relative_to(WEB).as_posix(): path for path in WEB.rglob("*") if path.suffix in CONTENT_TYPES
    }
    sources[VERIFIER.name] = VERIFIER
    bodies = {name: path.read_bytes() for name, path in sorted(sources.items())}
    bodies[ELEMENT] = bundled_script(WEB, ELEMENT_MODULE).encode()
    digest = sha256(b"".join(sha256(body).digest() for body in bodies.values())).hexdigest()[:16]
    index = bodies.pop(INDEX).replace(b'"/web/', b'"/web/%s/' % digest.encode())
    files = {name: packed_file(name, body) for name, body in bodies.items()}
    return Site(packed_file(INDEX, index), files, digest)


def packed_file(name: str, body: bytes) -> File:
    small = len(body) < MIN_COMPRESSED_BYTES
    gzipped = body if small else gzip.compress(body, 9, mtime=0)
    return File(CONTENT_TYPES[Path(name).suffix], sha256(body).hexdigest()[:32], body, gzipped)


@route("GET", "/", runs_in="loop", documented=False)
def home() -> Response:
    """The page for who wants HTML, for others where to go from here."""
    if this_request().prefers(("application/json", "text/html")) == "text/html":
        return page().varying("Accept")
    return json_response(API_INDEX).varying("Accept")


@route("GET", "/play", runs_in="loop", documented=False)
@route("GET", "/play/<path:rest>", runs_in="loop", documented=False)
@route("GET", "/replay", runs_in="loop", documented=False)
@route("GET", "/replay/<path:rest>", runs_in="loop", documented=False)
@route("GET", "/audit", runs_in="loop", documented=False)
@route("GET", "/audit/<path:rest>", runs_in="loop", documented=False)
def page_inside(rest: str = "") -> Response:
    """Addresses of the page's own: it says itself what is shown there."""
    return page()


@route("GET", "/web/<path:name>", runs_in="loop", documented=False)
def page_file(name: str) -> Response:
    """A file that the page is made of."""
    there = site()
    first, _, rest = name.partition("/")
    lasting = first == there.digest
    wanted = rest if lasting else name
    file = sent(wanted_file(wanted), FOR_EVER if lasting else ASK_AGAIN)
    return file.with_headers(service_worker_allowed="/") if wanted == SERVICE_WORKER else file


API_INDEX = IndexBody(
    name="Stele",
    version=version("stele"),
    links={
        "document": "/openapi.json",
        "documentation": "/docs",
        "games": "/v1/games",
        "rulesets": "/v1/rulesets",
        "keys": "/.well-known/stele-keys.json",
    },
)


def page() -> Response:
    """The page itself: browsers ask for it each time, and for nothing else unless it has changed."""
    return sent(site().page, ASK_AGAIN)


def wanted_file(name: str) -> File:
    if name not in site().files:
        raise Refusal("not_found", "There is nothing at this address; `/docs` shows what there is.")
    return site().files[name]


def sent(file: File, caching: str) -> Response:
    """A file, compressed if the browser takes it so; 304 if it has it already."""
    current = this_request()
    squeezed = file.gzipped is not file.body and current.takes_gzip
    tag = f"{file.tag}-gzip" if squeezed else file.tag
    kept = {**SAFE, "cache_control": caching, "vary": "Accept-Encoding", "etag": f'"{tag}"'}
    if current.has(tag):
        return Response(304, []).with_headers(**kept)
    if squeezed:
        return response(file.gzipped, file.type, content_encoding="gzip", **kept)
    return response(file.body, file.type, **kept)
