"""Version 2 of Temple of Five: the option `begins` says who has the first player token (Q1)."""

from typing import Annotated, Literal

import msgspec

from games.temple_of_five import state


class Options(state.Options, frozen=True):
    """The variants, which may be combined freely (2)."""

    begins: Annotated[int, msgspec.Meta(ge=0, le=3)] | Literal["drawn"] = 0


class State(state.State, frozen=True):
    """A whole game, or a view of it."""

    options: Options


STATES: dict[type[state.Options], type[state.State]] = {state.Options: state.State, Options: State}
"""The states of each version, by its options."""
