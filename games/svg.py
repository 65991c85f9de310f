"""A picture as a tree of elements, written out once. Text and attributes are escaped by construction.

A drawing that comes again and again is a stamp. Attribute names are written as Python names (`stroke_width`), None leaves an attribute out. There is no way to put
markup in as text, and no element that could carry a script or fetch anything.
"""

import re
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal
from zlib import crc32

Value = str | int | float | None
Point = tuple[float, float]
Tag = Literal[
    "svg",
    "title",
    "desc",
    "g",
    "rect",
    "circle",
    "ellipse",
    "line",
    "polyline",
    "polygon",
    "path",
    "text",
    "use",
]

_CAMEL = frozenset({"viewBox", "textLength", "lengthAdjust"})
_ESCAPED = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": " ", "\t": " "})
_PLAIN = re.compile("[ !#-%'-;=?-\ud7ff]*")
"""Words that need no care: most."""
_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Element:
    """One element: its tag, attributes, and children (elements, or text)."""

    __slots__ = ("attributes", "children", "tag")

    def __init__(self, tag: Tag, children: Sequence["Element | str"] = (), /, **attributes: Value) -> None:
        self.tag = tag
        self.children = children
        self.attributes = attributes


class Stamp:
    """A drawing that is used many times: written once, then only referred to."""

    __slots__ = ("href", "inner", "name", "written")

    def __init__(self, drawing: Element) -> None:
        pieces: list[str] = []
        self.inner: dict[str, Stamp] = {}
        """The stamps that this one is made of."""
        _write(drawing, pieces, self.inner)
        self.name = "s" + urlsafe_b64encode(crc32("".join(pieces).encode()).to_bytes(4)).decode().rstrip("=")
        self.href = f"#{self.name}"
        drawing.attributes["id"] = self.name
        pieces.clear()
        _write(drawing, pieces, {})
        self.written = "".join(pieces)


class Print(Element):
    """A place where a stamp is used."""

    __slots__ = ("stamp",)

    def __init__(self, stamp: Stamp, **attributes: Value) -> None:
        super().__init__("use", (), href=stamp.href, **attributes)
        self.stamp = stamp


class Written(Element):
    """An element that is written already: for what comes again in one picture after another."""

    __slots__ = ("stamps", "text")

    def __init__(self, element: Element) -> None:
        super().__init__(element.tag)
        pieces: list[str] = []
        self.stamps: dict[str, Stamp] = {}
        _write(element, pieces, self.stamps)
        self.text = "".join(pieces)


def document(root: Element) -> str:
    """The whole tree as text; the stamps that it uses stand at its end."""
    pieces: list[str] = []
    stamps: dict[str, Stamp] = {}
    _write(root, pieces, stamps)
    end = pieces.pop()
    return "".join((*pieces, "<defs>", *(stamp.written for stamp in stamps.values()), "</defs>", end))


def _write(element: Element, pieces: list[str], stamps: dict[str, Stamp]) -> None:
    if isinstance(element, Written):
        pieces.append(element.text)
        stamps.update(element.stamps)
        return
    tag, attributes = element.tag, element.attributes.items()
    opening = f"<{tag}{''.join([_attribute(name, value) for name, value in attributes if value is not None])}"
    if element.children:
        pieces.append(opening + ">")
        for child in element.children:
            if child.__class__ is str:
                pieces.append(_escaped(child))
            else:
                _write(child, pieces, stamps)  # type: ignore[arg-type]  # what is no text is an element
        pieces.append(f"</{tag}>")
    else:
        pieces.append(opening + "/>")
        if tag == "use" and isinstance(element, Print) and element.stamp.name not in stamps:
            stamps[element.stamp.name] = element.stamp
            stamps.update(element.stamp.inner)


@lru_cache(8192)
def _attribute(name: str, value: str | float) -> str:
    """An attribute as written; boards repeat the same few thousand."""
    if name not in _CAMEL and not name.startswith("data-"):
        name = name.rstrip("_").replace("_", "-")
    return f' {name}="{_escaped(value) if isinstance(value, str) else number(value)}"'


def _escaped(words: str) -> str:
    if _PLAIN.fullmatch(words):
        return words
    return _NOT_IN_XML.sub("", words).translate(_ESCAPED)


def number(value: float) -> str:
    """A number as short as a tenth of a unit allows."""
    if isinstance(value, int) or value == int(value):
        return str(int(value))
    short = f"{value:.1f}"
    return short.removesuffix(".0")


# -- shapes ---------------------------------------------------------------------------------------------------------


def group(*children: Element | None, **attributes: Value) -> Element:
    """Elements that belong together; None is left out."""
    return Element("g", [child for child in children if child is not None], **attributes)


def rect(x: float, y: float, width: float, height: float, **attributes: Value) -> Element:
    return Element("rect", x=x, y=y, width=width, height=height, **attributes)


def circle(cx: float, cy: float, r: float, **attributes: Value) -> Element:
    return Element("circle", cx=cx, cy=cy, r=r, **attributes)


def line(x1: float, y1: float, x2: float, y2: float, **attributes: Value) -> Element:
    return Element("line", x1=x1, y1=y1, x2=x2, y2=y2, **attributes)


def polygon(points: Iterable[Point], **attributes: Value) -> Element:
    return Element("polygon", points=_points(points), **attributes)


def path(d: str, **attributes: Value) -> Element:
    return Element("path", d=d, **attributes)


def text(x: float, y: float, words: str, **attributes: Value) -> Element:
    return Element("text", (words,), x=x, y=y, **attributes)


def _points(points: Iterable[Point]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in points)


# -- how wide words are -----------------------------------------------------------------------------------------------

_NARROW, _WIDE, _WIDEST = (
    set("iljtfrI.,:;'’|!()[] ·"),
    set("ABCDEFGHKNOPQRSTUVXYZÉÈÀÇwæœ&+=<>"),
    set("mWMÆŒ@%—…"),
)


def _width(letter: str) -> float:
    if letter in _NARROW:
        return 0.36
    return 0.95 if letter in _WIDEST else 0.72 if letter in _WIDE else 0.6


@lru_cache(4096)
def width_of(words: str) -> float:
    """How wide words are in any common sans, for a size of 1: a little more than most fonts need."""
    return sum(map(_width, words))


def fitted(words: str, width: float, size: float, smallest: float) -> tuple[str, float]:
    """Words made to fit: set smaller, down to the smallest size, then cut."""
    natural = width_of(words)
    if natural * size <= width:
        return words, size
    if natural * smallest <= width:
        return words, width / natural
    room = width / smallest - _width("…")
    for at, letter in enumerate(words):
        room -= _width(letter)
        if room < 0:
            return words[:at].rstrip() + "…", smallest
    return words, smallest


def wrapped(words: str, width: float, size: float, most: int) -> list[str]:
    """Words in lines of a width, at most so many; what does not fit is cut."""
    lines: list[str] = []
    for word in words.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and (width_of(longer) * size <= width or len(lines) == most):
            lines[-1] = longer
        else:
            lines.append(word)
    return [fitted(each, width, size, size)[0] for each in lines]
