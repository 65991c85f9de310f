"""Chains are followed tile by tile; here they are held against their plain definition on surfaces of every kind."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from games.kernel import replace
from games.temple_of_five.box import Box
from games.temple_of_five.contents import Space
from games.temple_of_five.state import Chain, Player, Rows
from games.temple_of_five.surface import after_covering, after_decorating, chains_of
from tests.games.temple_of_five.tables import RULESET
from tests.games.temple_of_five.tables import given as position
from tests.games.temple_of_five.tiny import TINY_RULESET

BOXES = [RULESET.component_sets["reconstructed_1"].box, TINY_RULESET.component_sets["tiny"].box]
ANYBODY: Player = position({}).state.players[0]

boxes = st.sampled_from(BOXES)
choices = st.integers(0, 2**32 - 1).map(Random)


def defined_chains(box: Box, surface: Rows, priests: tuple[Space, ...]) -> list[Chain]:
    """Chains as the rules say them: sets of like decorations grow together as long as two of them touch."""
    groups = [{space} for space in box.spaces if surface[space[0]][space[1]] in box.colour_of]
    while pair := next(((a, b) for a in groups for b in groups if a is not b and touch(surface, a, b)), None):
        groups.remove(pair[1])
        pair[0].update(pair[1])
    chains = [tuple(sorted(group)) for group in groups if len(group) > 1]
    return [
        Chain(
            box.colour_of[surface[spaces[0][0]][spaces[0][1]]],
            len(spaces),
            spaces,
            any(priest in spaces for priest in priests),
        )
        for spaces in sorted(chains)
    ]


def touch(surface: Rows, some: set[Space], others: set[Space]) -> bool:
    return any(
        abs(a - c) + abs(b - d) == 1 and surface[a][b] == surface[c][d] for a, b in some for c, d in others
    )


def decorated_at_random(box: Box, random: Random) -> Player:
    """A board where much or little is decorated, in few or many colours, with priests here and there."""
    letters = random.sample(list(box.colour_of), random.randint(1, 4))
    blanks = [box.empty, box.blocked] * random.randint(0, 3)
    size = range(box.board_size)
    surface = tuple("".join(random.choice(letters + blanks) for _ in size) for _ in size)
    shown = [space for space in box.spaces if surface[space[0]][space[1]] in box.colour_of]
    priests = tuple(random.sample(shown, min(len(shown), random.randint(0, 9))))
    levels = ("0" * box.board_size,) * box.board_size
    chains = chains_of(box, surface, priests)
    return replace(ANYBODY, surface=surface, levels=levels, board_priests=priests, chains=chains)


def sign_on(surface: Rows, spaces: tuple[Space, ...]) -> str:
    return "".join(surface[row][column] for row, column in spaces)


@settings(max_examples=150, deadline=None)
@given(box=boxes, random=choices)
def test_the_chains_of_a_board_are_its_largest_connected_sets(box: Box, random: Random) -> None:
    player = decorated_at_random(box, random)
    assert list(player.chains) == defined_chains(box, player.surface, player.board_priests)


@settings(max_examples=400, deadline=None)
@given(box=boxes, random=choices)
def test_a_tile_joins_parts_and_opens_chains_as_if_the_whole_board_were_seen_anew(
    box: Box, random: Random
) -> None:
    player = decorated_at_random(box, random)
    for _ in range(8):
        level = random.choice([1, 2, 3])
        slot = random.randrange(len(box.slots[level]))
        spaces = box.slots[level][slot]
        face = random.choice([box.blocked * 4, *box.faces[random.choice(list(box.faces))].values()])
        before, player = player, after_covering(box, player, level, slot, face)
        assert sign_on(player.surface, spaces) == face
        assert sign_on(player.levels, spaces) == str(level) * 4
        for space in set(box.spaces) - set(spaces):
            assert player.sign(space) == before.sign(space)
            assert player.top_level(space) == before.top_level(space)
        assert set(player.board_priests) == set(before.board_priests) - set(spaces)
        assert list(player.chains) == list(chains_of(box, player.surface, player.board_priests))


@settings(max_examples=200, deadline=None)
@given(box=boxes, random=choices)
def test_a_piece_joins_chains_as_if_the_whole_board_were_seen_anew(box: Box, random: Random) -> None:
    player = decorated_at_random(box, random)
    for _ in range(8):
        piece = random.choice(box.bonus_decorations)
        spaces = random.choice(box.lines[piece.size])
        player = after_decorating(box, player, piece.id, spaces)
        assert sign_on(player.surface, spaces) == box.letter(piece.colour) * piece.size
        assert list(player.chains) == list(chains_of(box, player.surface, player.board_priests))
