"""Many games at once: what fails for one of them is an answer of its own, and harms no other."""

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


def succeeded(answer: T | Exception) -> T:
    """An answer that is none of an error; one that is gets raised."""
    if isinstance(answer, Exception):
        raise answer
    return answer
