"""Single keys from a terminal, as they are pressed."""

import os
import select
import sys
import termios
import tty
from types import TracebackType

SEQUENCES = {
    "\x1b[C": "right",
    "\x1bOC": "right",
    "\x1b[D": "left",
    "\x1bOD": "left",
    "\x1b[H": "home",
    "\x1b[1~": "home",
    "\x1bOH": "home",
    "\x1b[F": "end",
    "\x1b[4~": "end",
    "\x1bOF": "end",
    "\x1b": "escape",
    "\r": "enter",
    "\n": "enter",
    " ": "space",
    "\x7f": "backspace",
    "\x08": "backspace",
    "\x04": "q",
}
"""What terminals send for keys that have no letter."""


class Keyboard:
    """The keyboard of this terminal; line editing is off while it is held."""

    def __init__(self) -> None:
        self._fd = sys.stdin.fileno()

    def __enter__(self) -> "Keyboard":
        self._before = termios.tcgetattr(self._fd)
        tty.setcbreak(self._fd)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        termios.tcsetattr(self._fd, termios.TCSADRAIN, self._before)

    def read(self, seconds: float | None) -> list[str]:
        """The keys that were pressed; none if nobody presses one in this time (None: however long it takes)."""
        ready, _, _ = select.select([self._fd], [], [], seconds)
        return split_keys(os.read(self._fd, 1024).decode(errors="replace")) if ready else []


def split_keys(text: str) -> list[str]:
    """What a terminal sent, key by key."""
    keys: list[str] = []
    while text:
        key = next((sent for sent in SEQUENCES if text.startswith(sent)), text[0])
        keys.append(SEQUENCES.get(key, key))
        text = text[len(key) :]
    return keys
