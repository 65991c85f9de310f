"""What a player may ask for (6): one class an action, with what speaks against it and what comes of it."""

from games.sa_re.actions import construction, powers, season, sites
from games.sa_re.actions.action import SaReAction

__all__ = ["ACTIONS", "SaReAction"]

ACTIONS: tuple[type[SaReAction], ...] = (
    sites.PlaceBuilding,
    sites.LaunchSite,
    sites.CancelSite,
    sites.MoveSite,
    sites.Demolish,
    sites.EndSites,
    season.Stay,
    season.Stop,
    season.Draw,
    season.EndSequence,
    season.TakeCard,
    season.PassTrouble,
    season.DiscardTrouble,
    powers.UseTemple,
    powers.ChooseCard,
    powers.UsePalace,
    powers.UseGardens,
    powers.UseLibrary,
    powers.UseBarracks,
    powers.UseMarket,
    construction.StartWork,
    construction.Pay,
    construction.CancelWork,
    construction.Store,
    construction.EndConstruction,
)
