"""Sa-Ré: cities on the Nile, for 2 to 4 players."""

from games.sa_re.ruleset import SA_RE, SA_RE_1

__all__ = ["SA_RE", "SA_RE_1"]
