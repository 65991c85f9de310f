"""Every game that the generic suite runs on."""

from tests.games.babel.kit import KIT as BABEL
from tests.games.sa_re.kit import KIT as SA_RE
from tests.rulesets.kit import Kit
from tests.toy_kit import KIT as LANTERNS

KITS: tuple[Kit, ...] = (LANTERNS, BABEL, SA_RE)
