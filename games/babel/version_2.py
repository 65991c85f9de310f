"""Version 2 of Babel: the option `begins` says who begins (Q25)."""

from typing import Annotated, ClassVar, Literal

import msgspec

from games.babel import state


class Options(state.Options, frozen=True):
    """How a game is set up (2)."""

    rules: ClassVar[int] = 2
    begins: Annotated[int, msgspec.Meta(ge=0, le=1)] | Literal["drawn"] = 0


class State(state.State, frozen=True, kw_only=True, gc=False):
    """The whole game; in a view both piles and the hands of others are null."""

    options: Options


STATES: dict[type[state.Options], type[state.State]] = {state.Options: state.State, Options: State}
"""The states of each version, by its options."""
