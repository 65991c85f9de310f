"""Timestamps as the log writes them, and as milliseconds since 1970."""

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from time import time_ns

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def timestamp(moment: datetime) -> str:
    """A moment as the log writes it: UTC, to the millisecond."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def utc_now() -> str:
    """The present moment as the log writes it."""
    second, nanoseconds = divmod(time_ns(), 10**9)
    return f"{_second(second)}.{nanoseconds // 10**6:03d}Z"


@lru_cache(1)
def _second(since_1970: int) -> str:
    return datetime.fromtimestamp(since_1970, UTC).isoformat()[: -len("+00:00")]


@lru_cache(1024)
def milliseconds(time: str) -> int:
    """A time of the log as milliseconds since 1970."""
    return round(datetime.fromisoformat(time).timestamp() * 1000)


def time_at(since_1970: int) -> str:
    """So many milliseconds since 1970, as the log writes them."""
    return timestamp(EPOCH + timedelta(milliseconds=since_1970))
