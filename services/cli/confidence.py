"""Confidence intervals of shares (Wilson)."""

from math import sqrt

NORMAL_95 = 1.96
"""Standard deviations that hold 95 % of a normal distribution."""


def interval(won: float, games: int) -> tuple[float, float]:
    """Between which shares the true one lies, with 95 % confidence (Wilson); shared wins may count as parts."""
    share, z2 = won / games, NORMAL_95**2
    middle = (share + z2 / (2 * games)) / (1 + z2 / games)
    width = NORMAL_95 * sqrt(share * (1 - share) / games + z2 / (4 * games**2)) / (1 + z2 / games)
    return max(0.0, middle - width), min(1.0, middle + width)


def share_with_interval(won: float, games: int) -> str:
    """A share with its interval: `74 % (60–84)`."""
    low, high = interval(won, games)
    return f"{100 * won / games:.0f} % ({100 * low:.0f}–{100 * high:.0f})"
