"""What every part of filling a position needs."""

from typing import NoReturn, TypeVar

from games.kernel import InvalidSetup

T = TypeVar("T")


def reject(sentence: str) -> NoReturn:
    """No game begins from this position."""
    raise InvalidSetup("invalid_position", sentence)


def given_or(value: T | None, default: T) -> T:
    """A member of a position, or what fills it."""
    return default if value is None else value
