"""Errors as values, for work on many games: a failure of one is returned in its place and harms no other."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def attempt(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | Exception:
    """What this gives, or why it cannot."""
    try:
        return work(*args, **kwargs)
    except Exception as error:  # whoever asked goes on with the others first
        return error


def unwrap(answer: T | Exception) -> T:
    """An answer that is none of an error; one that is gets raised."""
    if isinstance(answer, Exception):
        raise answer
    return answer
