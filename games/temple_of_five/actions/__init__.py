"""What players may ask for, one class an action (6): the first rule that it breaks, and its facts."""

from games.kernel import Action, kinds_in
from games.temple_of_five.actions import building, priests

ACTIONS = kinds_in(Action, building, priests)
