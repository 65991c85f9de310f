"""What the bot's open sites lack."""

from msgspec import UNSET

from games.sa_re.city import sites
from games.sa_re.payment import lacking
from games.sa_re.state import Cost, Player


def shortfall(player: Player, means: list[str]) -> int:
    """How many resources are missing to pay for all open sites together."""
    costs = [tile.cost for _, tile in sites(player) if tile.cost is not UNSET]
    together = Cost(
        wood=sum(cost.wood for cost in costs),
        gold=sum(cost.gold for cost in costs),
        stone=sum(cost.stone for cost in costs),
        wild=sum(cost.wild for cost in costs),
    )
    return lacking(together, means)
