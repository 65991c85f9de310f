"""Sa-Ré: cities on the Nile, for 2 to 4 players."""

from games.sa_re.ruleset import SA_RE

__all__ = ["SA_RE"]
