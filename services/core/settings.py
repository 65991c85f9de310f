"""Every setting of Stele, read from the `STELE_*` variables of the environment.

The class `Settings` is the table: each field is a variable (`port` is `STELE_PORT`) with how it is read, its default
as one would write it, what it means, and an example. An empty variable is a missing one.
"""

import dataclasses
import os
import re
from collections.abc import Callable, Iterator, Mapping
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeVar, cast
from urllib.parse import urlsplit

import click

from replays.audit.verify import COSIGNATURE_KEY, Fault, read_verifier_key

VARIABLE_PREFIX = "STELE_"
T = TypeVar("T")


class CannotStart(click.ClickException):
    """Stele cannot run as things are: one sentence that says why and what to do (a command exits with 1)."""


class BadSetting(CannotStart):
    """A variable of the environment holds what its setting cannot take."""


# How a variable is read: each gives the value, or a ValueError that continues "STELE_X must be …".


def plain_text(written: str) -> str:
    return written


def integer_between(least: int, most: int) -> Callable[[str], int]:
    def read(written: str) -> int:
        if not re.fullmatch(r"[0-9]{1,18}", written) or not least <= int(written) <= most:
            raise ValueError(f"a whole number from {least} to {most}")
        return int(written)

    return read


def directory(written: str) -> Path:
    try:
        return Path(written).expanduser().absolute()
    except RuntimeError:
        raise ValueError("a directory (there is no home directory for ~)") from None


def redis_url(written: str) -> str:
    parts = urlsplit(written)
    if parts.scheme not in {"redis", "rediss", "unix"} or not (parts.hostname or parts.path):
        raise ValueError("a URL that begins with redis://, rediss:// or unix://")
    return written


def redis_urls(written: str) -> str:
    """One address, or several of the nodes of a cluster: any that answers is enough."""
    return ",".join(redis_url(each) for each in comma_separated(written))


def passphrase(written: str) -> str:
    if len(written) < 16:
        raise ValueError("at least 16 characters long")
    return written


def ed25519_key(written: str) -> str:
    if not re.fullmatch(r"[0-9a-f]{64}", written):
        raise ValueError("64 lower-case hex digits (the 32 bytes of an Ed25519 private key)")
    return written


def p256_key(written: str) -> str:
    """A private key of the curve P-256: a number that is neither 0 nor beyond the order of its base point."""
    if not re.fullmatch(r"[0-9a-f]{64}", written) or not 0 < int(written, 16) < P256_ORDER:
        raise ValueError("64 lower-case hex digits (a P-256 private key)")
    return written


def push_contact(written: str) -> str:
    if not re.fullmatch(r"(mailto:|https://)[!-~]{3,200}", written):
        raise ValueError("an address like mailto:games@example.org or https://example.org")
    return written


def open_or_host(written: str) -> Literal["open", "host"]:
    if written not in {"open", "host"}:
        raise ValueError("open or host")
    return cast(Literal["open", "host"], written)


def log_level(written: str) -> Literal["debug", "info", "warning", "error"]:
    if written not in {"debug", "info", "warning", "error"}:
        raise ValueError("debug, info, warning or error")
    return cast(Literal["debug", "info", "warning", "error"], written)


def comma_separated(written: str) -> list[str]:
    return [part.strip() for part in written.split(",") if part.strip()]


P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
SHORTEST_TOKEN = 24


def long_token(token: str) -> str:
    """A token that nobody guesses."""
    if len(token) < SHORTEST_TOKEN:
        raise ValueError(
            f"made of tokens of at least {SHORTEST_TOKEN} characters (`openssl rand -hex 16` makes one)"
        )
    return token


def tokens(written: str) -> tuple[str, ...]:
    return tuple(map(long_token, comma_separated(written)))


def named_tokens(written: str) -> Mapping[str, str]:
    by_name: dict[str, str] = {}
    for part in comma_separated(written):
        name, colon, token = part.partition(":")
        if not (re.fullmatch(r"[A-Za-z0-9_.-]+", name) and colon and token):
            raise ValueError("a list like name:token,name:token")
        if name in by_name or token in by_name.values():
            raise ValueError(f"a list in which each name and each token stands once (look at {name})")
        by_name[name] = long_token(token)
    return MappingProxyType(by_name)


def web_origins(written: str) -> tuple[str, ...]:
    origins = tuple(comma_separated(written))
    for origin in origins:
        if origin != "*" and not re.fullmatch(r"https?://[^/?#\s]+", origin):
            raise ValueError(f"a list of origins like https://example.org, without a path (look at {origin})")
    return origins


ORIGIN = re.compile(r"https?://[^/?#\s;,'\"<>]+")


def web_origin(written: str) -> str:
    """An origin, with or without a slash at its end."""
    origin = written.rstrip("/")
    if not ORIGIN.fullmatch(origin):
        raise ValueError("an origin like https://example.org, without a path")
    return origin


def frame_ancestors(written: str) -> tuple[str, ...]:
    """Origins as the policy of a page names them: `*` for all of them, `none` for none."""
    if written in {"*", "none"}:
        return (written,)
    origins = tuple(comma_separated(written))
    if not all(map(ORIGIN.fullmatch, origins)):
        raise ValueError("a list of origins like https://example.org, or * for all, or none")
    return origins


def networks(written: str) -> tuple[IPv4Network | IPv6Network, ...]:
    try:
        return tuple(map(ip_network, comma_separated(written)))
    except ValueError:
        raise ValueError("a list of addresses or networks like 127.0.0.1,10.0.0.0/8") from None


def note_name(written: str) -> str:
    """A name of signed notes."""
    if not re.fullmatch(r"[!-*,-~]{1,200}", written):
        raise ValueError("at most 200 printable ASCII characters without spaces or +")
    return written


class LogWitness(NamedTuple):
    """A witness of the transparency log: where it takes checkpoints, and the key that it cosigns with."""

    url: str
    name: str
    public: bytes


def log_witnesses(written: str) -> tuple[LogWitness, ...]:
    witnesses: list[LogWitness] = []
    for part in comma_separated(written):
        try:
            url, key = part.split()
            name, kind, public = read_verifier_key(key)
            if kind != COSIGNATURE_KEY or not url.startswith(("http://", "https://")):
                raise ValueError
        except (ValueError, Fault):
            raise ValueError("a list of addresses, each with the verifier key of its witness") from None
        witnesses.append(LogWitness(url.rstrip("/"), name, public))
    return tuple(witnesses)


@dataclasses.dataclass(frozen=True)
class SettingRow:
    """What is known of a setting besides its name and type."""

    read: Callable[[str], Any]
    default: str
    meaning: str
    example: str
    secret: bool
    file: str = ""


def setting(
    read: Callable[[str], T],
    default: str,
    meaning: str,
    example: str,
    *,
    none: str = "",
    secret: bool = False,
) -> T:
    """A row of the table; `none` says what an empty default means."""
    about = SettingRow(read, default or none, meaning, example, secret)
    field: T = dataclasses.field(default_factory=lambda: read(default), metadata={"row": about})
    return field


def optional_setting(
    read: Callable[[str], T], meaning: str, example: str, *, none: str, secret: bool = False, file: str = ""
) -> T | None:
    """A row of the table without a default value; `none` says what happens then, `file` where a secret is kept."""
    about = SettingRow(read, none, meaning, example, secret, file)
    field: T | None = dataclasses.field(default=None, metadata={"row": about})
    return field


# fmt: off
@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)  # so that no log tells a secret
class Settings:
    host: str = setting(plain_text, "127.0.0.1", "Address the API listens on.", "0.0.0.0")  # noqa: S104 - only an example
    port: int = setting(integer_between(1, 65535), "8000", "Port the API listens on.", "8080")
    data_dir: Path = setting(directory, "~/.local/share/stele", "Directory of the embedded store and of the secrets made on first start.", "/var/lib/stele")  # noqa: RUF009 - a field
    api_processes: int = setting(integer_between(1, 256), "1", "Processes that serve the API; each knows the games it has served.", "4")
    workers: int = setting(integer_between(0, 256), "2", "Worker processes that `stele up` runs.", "4")
    thinkers: int = setting(integer_between(0, 256), "2", "Processes of `stele up` in which bots that search think; with 0 workers let them think when nothing else waits.", "4")
    store_url: str | None = optional_setting(redis_urls, "Redis ≥ 7 or Valkey that holds the logs, alone or a cluster, of which several nodes may be named, separated by commas.", "redis://store:6379/0", none="the embedded store")
    min_replicas: int = setting(integer_between(0, 9), "0", "Replicas that must have an action before it is acknowledged.", "1")
    queue_url: str | None = optional_setting(redis_url, "Plain Redis for the workers' queue; needed if the store is a cluster.", "redis://queue:6379/0", none="the store")
    token_key: str | None = optional_setting(passphrase, "Key of seat tokens and tickets, the same for all API processes.", "64 random hex digits", none="made on first start", secret=True, file="token.key")
    host_tokens: Mapping[str, str] = setting(named_tokens, "", "Hosts and their tokens: name:token, separated by commas.", "club:Zk3w…,school:9fQx…", none="no hosts", secret=True)
    operator_tokens: tuple[str, ...] = setting(tokens, "", "Tokens that may do everything, separated by commas.", "xT7b…", none="no operator over HTTP", secret=True)
    metrics_token: str | None = optional_setting(long_token, "Token that reads /metrics from other machines; operators' tokens do too.", "7mQv…", none="only this machine and operators", secret=True)
    create: Literal["open", "host"] = setting(open_or_host, "open", "Who may create games: everyone (open), or hosts and operators (host).", "host")
    bot_games: Literal["open", "host"] = setting(open_or_host, "host", "Who may create games that only bots play: hosts and operators (host), or everyone (open).", "open")
    cors_origins: tuple[str, ...] = setting(web_origins, "", "Web origins whose pages may call the API, separated by commas; * means any.", "https://play.example.org", none="none")
    public_url: str | None = optional_setting(web_origin, "Address at which people reach this server: links and pictures of previews begin with it.", "https://play.example.org", none="the Host of each request")
    embed_ancestors: tuple[str, ...] = setting(frame_ancestors, "*", "Web origins whose pages may frame a game (/embed), separated by commas; * means any, none that nobody may.", "https://club.example.org,https://school.example.org")
    log_level: Literal["debug", "info", "warning", "error"] = setting(log_level, "warning", "What is logged, as JSON on stderr: info has a line for each request.", "info")
    min_free_mb: int = setting(integer_between(0, 10**9), "256", "Free disk space in MB below which the API turns read-only.", "1024")
    max_memory_mb: int = setting(integer_between(0, 10**9), "0", "Memory in MB that the embedded store may fill (0: half of the machine's).", "2048")
    seal_ttl: int = setting(integer_between(1, 10**9), "600", "Seconds in which players open their seals, else the game is aborted.", "60")
    open_game_ttl: int = setting(integer_between(1, 10**9), "604800", "Seconds after which an open game that nobody joins is aborted.", "3600")
    anonymous_open_game_ttl: int = setting(integer_between(1, 10**9), "3600", "The same for a game that was created without a token, if that is sooner.", "86400")
    idle_game_ttl: int = setting(integer_between(1, 10**9), "2592000", "Seconds after which a game that nobody plays is aborted.", "604800")
    max_entries: int = setting(integer_between(100, 10**9), "20000", "How many entries a game may have before it is aborted as endless.", "5000")
    signing_key: str | None = optional_setting(ed25519_key, "Ed25519 private key that signs heads and records.", "64 random hex digits", none="made on first start", secret=True, file="signing.key")
    log_key: str | None = optional_setting(ed25519_key, "Ed25519 private key of the transparency log; it never changes.", "64 random hex digits", none="made on first start", secret=True, file="log.key")
    push_key: str | None = optional_setting(p256_key, "P-256 private key by which push services know this server; with another one every subscription is void.", "64 random hex digits", none="made on first start", secret=True, file="push.key")
    push_contact: str | None = optional_setting(push_contact, "Where push services may reach whoever runs the server.", "mailto:games@example.org", none="STELE_PUBLIC_URL")
    log_origin: str | None = optional_setting(note_name, "Name of the transparency log.", "example.org/stele", none="stele/ and the id of its key")
    log_seconds: int = setting(integer_between(1, 86400), "10", "Seconds between two checkpoints of the transparency log, at least.", "60")
    log_dir: Path | None = optional_setting(directory, "Directory of the transparency log, shared by all processes; with STELE_STORE_URL there is a log only if it is set.", "/var/lib/stele/tlog", none="tlog, in the data directory")  # noqa: RUF009 - a field
    witnesses: tuple[LogWitness, ...] = setting(log_witnesses, "", "Witnesses of the transparency log, separated by commas: the address and the verifier key of each.", "https://club.example/witness club.example/witness+1a2b3c4d+BAAA…", none="none")
    archive_dir: Path | None = optional_setting(directory, "Directory of archived games, shared by all processes.", "/var/lib/stele/archive", none="archive, in the data directory")  # noqa: RUF009 - a field
    archive_after: int = setting(integer_between(0, 36500), "30", "Days after which settled games move to the archive (0: never); with STELE_STORE_URL only if STELE_ARCHIVE_DIR is set too.", "7")
    trusted_proxies: tuple[IPv4Network | IPv6Network, ...] = setting(networks, "", "Addresses of proxies whose X-Forwarded-For is believed, separated by commas.", "127.0.0.1,10.0.0.0/8", none="none")
    creations_per_minute: int = setting(integer_between(0, 10**9), "20", "Games that strangers may create in a minute from one address (0: no limit).", "100")
    unfinished_games: int = setting(integer_between(0, 10**9), "50", "Unfinished games that strangers may have from one address (0: no limit).", "10")
    joins_per_minute: int = setting(integer_between(0, 10**9), "60", "Seats that strangers may take in a minute from one address (0: no limit).", "200")
    requests_per_second: int = setting(integer_between(0, 10**9), "100", "Requests that a seat may send in a second to one API process (0: no limit).", "1000")
    reviews_at_once: int = setting(integer_between(0, 10**9), "100", "Reviews of games that may be under way at once (0: no limit).", "10")
    reviews_per_caller: int = setting(integer_between(0, 10**9), "4", "Of these, how many for one host, or for players from one address (0: no limit).", "1")
    sockets_per_address: int = setting(integer_between(0, 10**9), "32", "WebSockets that strangers may have open from one address to one API process (0: no limit).", "100")
    follows_per_socket: int = setting(integer_between(1, 10**6), "64", "Games that may be followed on one WebSocket.", "500")
    socket_ping_seconds: int = setting(integer_between(1, 3600), "15", "Seconds of silence after which a WebSocket is sent a ping; clients give up after 45.", "10")
    webhook_allow_private: int = setting(integer_between(0, 1), "0", "1 lets webhooks lead to addresses that are not on the public internet.", "1")
# fmt: on


ROWS: Mapping[str, SettingRow] = {field.name: field.metadata["row"] for field in dataclasses.fields(Settings)}


def variable(field: str) -> str:
    return VARIABLE_PREFIX + field.upper()


def read_settings(environ: Mapping[str, str] = os.environ) -> Settings:
    """The settings of this environment; the first bad one is refused by name."""
    values: dict[str, Any] = {}
    for field, row in ROWS.items():
        written = environ.get(variable(field), "").strip()
        if written:
            try:
                values[field] = row.read(written)
            except ValueError as wanted:
                instead_of = "" if row.secret else f", not {without_password(written)!r}"
                raise BadSetting(f"{variable(field)} must be {wanted}{instead_of}.") from None
    return Settings(**values)


def archive_dir(settings: Settings) -> Path:
    """Where archived games are."""
    return settings.archive_dir or settings.data_dir / "archive"


def log_dir(settings: Settings) -> Path | None:
    """Where the transparency log is; None if there is none, as its files would be on one of several machines."""
    return settings.log_dir or (None if settings.store_url else settings.data_dir / "tlog")


def archives_by_itself(settings: Settings) -> bool:
    """Are old games archived unasked? Not to a directory that processes on other machines may not share."""
    return settings.archive_after > 0 and (settings.archive_dir is not None or settings.store_url is None)


def without_password(written: str) -> str:
    """An address, or several, as they may be told."""
    return ",".join(re.sub(r"^(\w+://)?.*@", r"\1…@", each) for each in written.split(","))


@dataclasses.dataclass(frozen=True)
class ListedSetting:
    """What `stele settings` tells of one setting; `source` says where the present value comes from."""

    name: str
    value: str
    source: Literal["environment", "data directory", "default"]
    default: str
    meaning: str
    example: str


def listing(environ: Mapping[str, str] = os.environ) -> Iterator[ListedSetting]:
    """Every setting with its present value; secrets are only said to be set."""
    data_dir = read_settings(environ).data_dir
    for field, row in ROWS.items():
        written = environ.get(variable(field), "").strip()
        source: Literal["environment", "data directory", "default"] = "default"
        value = row.default
        if written:
            source, value = "environment", "set" if row.secret else without_password(written)
        elif row.file and (data_dir / row.file).exists():
            source, value = "data directory", "set"
        yield ListedSetting(variable(field), value, source, row.default, row.meaning, row.example)


def unknown_variables(environ: Mapping[str, str] = os.environ) -> list[str]:
    """Variables that look like settings but are none: most likely a slip of the pen."""
    names = {variable(field) for field in ROWS}
    return sorted(name for name in environ if name.startswith(VARIABLE_PREFIX) and name not in names)
