"""Version 2 of Sa-Ré: the option `begins` (Q45), and what a revolt and growth count (Q33, Q36)."""

from typing import Annotated, ClassVar, Literal

import msgspec

from games.sa_re import state


class Options(state.Options, frozen=True):
    """How this game is played (2)."""

    rules: ClassVar[int] = 2
    begins: Annotated[int, msgspec.Meta(ge=0, le=3)] | Literal["drawn"] = 0


class State(state.State, frozen=True, gc=False):
    """A whole game; in a view, what is hidden is null."""

    options: Options


STATES: dict[type[state.Options], type[state.State]] = {state.Options: state.State, Options: State}
"""The states of each version, by its options."""
