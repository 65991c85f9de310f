"""Draws house.svg beside it from the imports of the code: `python3 docs/picture_of_the_house.py`.

A box is a package, or a room of one; it stands above everything that it imports. Lines that follow from others are
left out: who knows `events` knows `games`. A test says when the picture is not true any more.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from html import escape
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parents[1]
PICTURE = Path(__file__).with_name("house.svg")
NO_PART = ("tests", "bench", "docs")
DIVIDED = ("replays", "services")
"""Packages whose rooms have boxes of their own."""

WIDTH, BOX, HEIGHT, GAP = 920, 236, 70, 40
MARGIN = 20
LETTERS_A_LINE = 36

Graph = Mapping[str, set[str]]


# -- the graph ----------------------------------------------------------------------------------------------------------


def rooms() -> dict[str, Path]:
    """Every box by its name: a package, or a room of a divided one."""
    rooms = {}
    for init in sorted(ROOT.glob("*/__init__.py")):
        package = init.parent
        if package.name in NO_PART:
            continue
        inner = sorted(package.glob("*/__init__.py")) if package.name in DIVIDED else []
        if not inner or has_modules(package):
            rooms[package.name] = package
        rooms |= {f"{package.name}/{room.parent.name}": room.parent for room in inner}
    return rooms


def has_modules(package: Path) -> bool:
    return any(module.name != "__init__.py" for module in package.glob("*.py"))


def modules_of(room: Path, others: Mapping[str, Path]) -> list[Path]:
    """The modules of a room, without those of rooms inside it."""
    inside = [other for other in others.values() if other != room and other.is_relative_to(room)]
    return [
        module for module in sorted(room.rglob("*.py")) if not any(module.is_relative_to(i) for i in inside)
    ]


def imported_names(module: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def room_of(name: str, others: Mapping[str, Path]) -> str | None:
    """The room that a dotted name lies in."""
    parts = name.split(".")
    for candidate in ("/".join(parts[:2]), parts[0]):
        if candidate in others:
            return candidate
    return None


def imports() -> dict[str, set[str]]:
    """For each room, the others that its modules import."""
    boxes = rooms()
    graph: dict[str, set[str]] = {name: set() for name in boxes}
    for name, room in boxes.items():
        for module in modules_of(room, boxes):
            graph[name] |= {other for each in imported_names(module) if (other := room_of(each, boxes))}
        graph[name].discard(name)
    return graph


def reach(graph: Graph, start: str, above: tuple[str, ...] = ()) -> set[str]:
    """Everything that a room knows, directly or not."""
    if start in above:
        raise ValueError(f"the imports go round in a circle: {' → '.join((*above, start))}")
    return graph[start].union(*(reach(graph, other, (*above, start)) for other in graph[start]))


def without_shortcuts(graph: Graph) -> dict[str, set[str]]:
    """The same graph without lines that follow from others."""
    reached = {name: reach(graph, name) for name in graph}
    return {
        name: {other for other in others if not any(other in reached[via] for via in others - {other})}
        for name, others in graph.items()
    }


# -- the picture --------------------------------------------------------------------------------------------------------


def levels(graph: Graph) -> dict[str, int]:
    """How high each box stands: one above the highest that it knows."""
    height: dict[str, int] = {}

    def level(name: str) -> int:
        if name not in height:
            height[name] = 1 + max(map(level, graph[name]), default=-1)
        return height[name]

    for name in graph:
        level(name)
    return height


Place = tuple[str, int]
"""A box, or where a line passes a level: the name of the line and the level."""


def rows_and_lines(graph: Graph) -> tuple[list[list[Place]], list[list[Place]]]:
    """Level by level what stands there, lines that pass by included; and each line as the places it goes through."""
    height = levels(graph)
    rows: list[list[Place]] = [[] for _ in range(max(height.values()) + 1)]
    for name in sorted(graph):
        rows[height[name]].append((name, height[name]))
    lines = []
    for upper in sorted(graph):
        for lower in sorted(graph[upper]):
            passed = [(f"{upper}→{lower}", level) for level in range(height[upper] - 1, height[lower], -1)]
            for place in passed:
                rows[place[1]].append(place)
            lines.append([(upper, height[upper]), *passed, (lower, height[lower])])
    return rows, lines


def arranged(rows: list[list[Place]], lines: list[list[Place]]) -> dict[Place, float]:
    """Where everything stands from left to right: near what it is joined with."""
    joined: dict[Place, list[Place]] = defaultdict(list)
    for line in lines:
        for here, there in pairwise(line):
            joined[here].append(there)
            joined[there].append(here)
    x = {place: centre for row in rows for place, centre in zip(row, centres(row), strict=True)}
    for _ in range(12):
        for row in rows:
            row.sort(
                key=lambda place: (sum(x[near] for near in joined[place]) / max(1, len(joined[place])), place)
            )
            x |= dict(zip(row, centres(row), strict=True))
    return x


def centres(row: list[Place]) -> list[float]:
    """Places side by side in the middle; a line that passes by needs less room than a box."""
    widths = [GAP / 2 if "→" in name else BOX + GAP / 2 for name, _ in row]
    left = (WIDTH - sum(widths)) / 2
    middles = []
    for width in widths:
        middles.append(left + width / 2)
        left += width
    return middles


def says(room: Path) -> str:
    """The first sentence of a package about itself."""
    words = ast.get_docstring(ast.parse((room / "__init__.py").read_text(encoding="utf-8"))) or ""
    return words.partition("\n")[0].rstrip(".").replace("`", "")


def wrapped(text: str) -> list[str]:
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) >= LETTERS_A_LINE:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines[:3]


def picture() -> str:
    """The whole drawing."""
    boxes, graph = rooms(), without_shortcuts(imports())
    rows, lines = rows_and_lines(graph)
    x = arranged(rows, lines)
    top = {level: MARGIN + (len(rows) - 1 - level) * (HEIGHT + GAP) for level in range(len(rows))}
    total = MARGIN * 2 + len(rows) * HEIGHT + (len(rows) - 1) * GAP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {total}" font-family="sans-serif">',
        f'<rect class="paper" width="{WIDTH}" height="{total}"/>',
        "<style>.paper{fill:#fff;stroke:none}path{fill:none;stroke:#8a7f70;stroke-width:1.5}.box{fill:#fbf7ef;stroke:#5b4a32;stroke-width:1.5}"
        "text{text-anchor:middle;fill:#3a2f20}.name{font-weight:bold;font-size:15px}.says{font-size:11px}</style>",
    ]
    parts += [drawn_line(line, x, top) for line in lines]
    for name in sorted(graph):
        level = next(number for number, row in enumerate(rows) if (name, number) in row)
        parts += drawn_box(name, says(boxes[name]), x[name, level], top[level])
    return "\n".join([*parts, "</svg>\n"])


def drawn_line(line: list[Place], x: Mapping[Place, float], top: Mapping[int, int]) -> str:
    (first, *_), steps = line, []
    for upper, lower in pairwise(line):
        start, end = top[upper[1]] + HEIGHT, top[lower[1]]
        middle = (start + end) / 2
        steps.append(f"C{x[upper]:g} {middle:g} {x[lower]:g} {middle:g} {x[lower]:g} {end}")
        if "→" in lower[0]:
            steps.append(f"V{end + HEIGHT}")
    return f'<path d="M{x[first]:g} {top[first[1]] + HEIGHT} {" ".join(steps)}"/>'


def drawn_box(name: str, about: str, centre: float, top: float) -> Iterator[str]:
    yield f'<rect class="box" x="{centre - BOX / 2:g}" y="{top}" width="{BOX}" height="{HEIGHT}" rx="4"/>'
    yield f'<text class="name" x="{centre:g}" y="{top + 20}">{escape(name)}</text>'
    for number, words in enumerate(wrapped(about)):
        yield f'<text class="says" x="{centre:g}" y="{top + 37 + 13 * number}">{escape(words)}</text>'


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
