"""Where the parts of a picture lie: boxes around their surfaces, in the units of the picture."""

import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.etree.ElementTree import Element

Matrix = tuple[float, float, float, float, float, float]
STILL: Matrix = (1, 0, 0, 1, 0, 0)


class Box(NamedTuple):
    """A rectangle by its corners."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    def holds(self, other: "Box", slack: float = 1) -> bool:
        return (
            self.left - slack <= other.left
            and self.top - slack <= other.top
            and other.right <= self.right + slack
            and other.bottom <= self.bottom + slack
        )


class Extents:
    """The boxes of all parts of a picture; a part is as large as the surfaces (not the text) that it is drawn with."""

    def __init__(self, root: Element) -> None:
        self.stamps = {f"#{each.attrib['id']}": each for each in root.iter() if "id" in each.attrib}
        self.boxes: dict[Element, Box] = {}
        self._walk(root, STILL)

    def _walk(self, element: Element, outer: Matrix) -> list[Box]:
        if element.tag.endswith("}defs"):
            return []
        matrix = outer
        for name, values in re.findall(r"(\w+)\(([^)]*)\)", element.attrib.get("transform", "")):
            matrix = _times(matrix, _step(name, [float(each) for each in re.split(r"[ ,]+", values)]))
        boxes = [box for child in element for box in self._walk(child, matrix)]
        if element.tag.endswith("}use"):
            x, y = (float(element.attrib.get(each, 0)) for each in "xy")
            boxes += self._walk(self.stamps[element.attrib["href"]], _times(matrix, (1, 0, 0, 1, x, y)))
        corners = list(_corners(element))
        if corners:
            moved = [_moved(matrix, each) for each in corners]
            across, down = [x for x, _ in moved], [y for _, y in moved]
            boxes.append(Box(min(across), min(down), max(across), max(down)))
        if boxes:
            self.boxes[element] = Box(
                min(box.left for box in boxes),
                min(box.top for box in boxes),
                max(box.right for box in boxes),
                max(box.bottom for box in boxes),
            )
            return [self.boxes[element]]
        return []


def _corners(element: Element) -> Iterator[tuple[float, float]]:
    def number(name: str) -> float:
        return float(element.attrib.get(name, 0))

    match element.tag.rpartition("}")[2]:
        case "rect":
            x, y = number("x"), number("y")
            for right in (0, 1):
                for down in (0, 1):
                    yield x + right * number("width"), y + down * number("height")
        case "circle":
            for sign in (-1, 1):
                yield number("cx") + sign * number("r"), number("cy") + sign * number("r")
        case "polygon":
            for point in element.attrib["points"].split():
                x, y = map(float, point.split(","))
                yield x, y


def _step(name: str, values: list[float]) -> Matrix:
    match name, values:
        case "translate", [x, y]:
            return (1, 0, 0, 1, x, y)
        case "scale", [size]:
            return (size, 0, 0, size, 0, 0)
        case "rotate", [_]:
            return (0, 1, -1, 0, 0, 0)
    raise ValueError(f"nothing is drawn with {name}({values})")


def _times(first: Matrix, second: Matrix) -> Matrix:
    a, b, c, d, e, f = first
    g, h, i, j, k, m = second
    return (a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * m + e, b * k + d * m + f)


def _moved(matrix: Matrix, point: tuple[float, float]) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    x, y = point
    return a * x + c * y + e, b * x + d * y + f
