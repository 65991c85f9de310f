"""Every game that the generic suite runs on."""

from tests.games.aton.kit import KIT as ATON
from tests.games.babel.kit import KIT as BABEL
from tests.games.sa_re.kit import KIT as SA_RE
from tests.games.sa_re.kit import KIT_1 as SA_RE_1
from tests.games.temple_of_five.kit import KIT as TEMPLE_OF_FIVE
from tests.rulesets.kit import Kit
from tests.toy_kit import KIT as LANTERNS

KITS: tuple[Kit, ...] = (LANTERNS, ATON, BABEL, SA_RE_1, SA_RE, TEMPLE_OF_FIVE)
