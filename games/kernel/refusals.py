"""What is not allowed: few kinds of errors, each with a code for programs and a sentence for people."""

import msgspec


class Refusal(Exception):
    """Something that is not allowed, with a code for programs and a sentence for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class IllegalAction(Refusal):
    """The rules refuse this action; nothing has changed."""


class InvalidSetup(Refusal):
    """No game can begin like this: `invalid_options`, `invalid_seats` or `invalid_position`."""


class UnknownRuleset(Refusal):
    """No such game, or not in that version."""


class Objection(msgspec.Struct, frozen=True, gc=False):
    """What speaks against an action: the rule that it breaks, by its code and in a sentence.

    Of several the first in the order of the specification counts, so that each rule may rely on those before it:
    `return against_unknown_space(state, space) or against_owner(state, seat, space)`.
    """

    code: str
    sentence: str
