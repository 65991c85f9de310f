"""What each refusal tells the player (6, 13)."""

from games.kernel import Objection

ALREADY_THERE = Objection("already_there", "Your pawn already stands at that site.")
CARD_NOT_IN_HAND = Objection("card_not_in_hand", "You do not hold enough cards of that nation.")
PAWN_IN_QUARRY = Objection("pawn_in_quarry", "Your pawn is still in the quarry: travel to a site first.")
NO_SUCH_TEMPLE_CARD = Objection("no_such_temple_card", "There is no temple card to take from there.")
WRONG_LEVEL = Objection(
    "wrong_level", "That card is not the next level of the temple where your pawn stands."
)
WRONG_SKIP = Objection("wrong_level", "That card is not two levels above the temple where your pawn stands.")
NOT_ENOUGH_NATIONS = Objection(
    "not_enough_nations", "Your column here has fewer cards than that level needs."
)
ALREADY_MIGRATED = Objection("already_migrated", "You have already migrated this turn.")
SAME_SITE = Objection("same_site", "A migration goes from one site to another.")
TOO_FEW_CARDS = Objection("too_few_cards", "A migration takes three cards, and that column has fewer.")
NO_RUN = Objection("no_run", "No run of three or more equal cards begins at that index of your column here.")
WRONG_NATION = Objection("wrong_nation", "That run is not of the nation that this ability needs.")
NO_TARGET = Objection("no_target", "The other player has nothing that this ability could act on.")
LEVEL_NOT_HIGHER = Objection("level_not_higher", "The temple facing you is not higher than yours.")
WRONG_COUNT = Objection("wrong_count", "You have to discard exactly half of your hand, rounded down.")
START_CARD_MUST_BE_BUILT = Objection(
    "start_card_must_be_built", "Your start card has to be built this turn, and this would prevent it."
)
