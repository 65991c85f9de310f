"""What is hidden: the places where something shown has a null and the whole has not."""

from collections.abc import Iterator
from typing import Any

Path = tuple[str | int, ...]


def holes(whole: Any, shown: Any, path: Path = ()) -> Iterator[Path]:
    """The places that are hidden; everything else must be shown as it is."""
    if shown is None and whole is not None:
        yield path
    elif isinstance(whole, dict) and isinstance(shown, dict):
        assert shown.keys() == whole.keys(), f"at {path}: a member is missing or too many"
        for member in whole:
            yield from holes(whole[member], shown[member], (*path, member))
    elif isinstance(whole, list) and isinstance(shown, list):
        assert len(shown) == len(whole), f"at {path}: {shown} for {whole}"
        for at, (one, other) in enumerate(zip(whole, shown, strict=True)):
            yield from holes(one, other, (*path, at))
    else:
        assert (type(shown), shown) == (type(whole), whole), f"at {path}"


def at(document: Any, path: Path) -> Any:
    """What lies at a place; None if there is no such place."""
    for step in path:
        if isinstance(document, dict):
            document = document.get(step)
        elif isinstance(document, list) and isinstance(step, int) and step < len(document):
            document = document[step]
        else:
            return None
    return document


def zone(path: Path) -> str:
    """The name of a place, whichever seat's it is."""
    return "/".join(str(step) for step in path if isinstance(step, str))
