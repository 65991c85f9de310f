"""The routes: each reads a request, makes one call, and answers."""

from services.api.routes import audit, games, health, keys, log, play, results, rulesets, seats

BLUEPRINTS = (
    rulesets.blueprint,
    games.blueprint,
    seats.blueprint,
    play.blueprint,
    log.blueprint,
    audit.blueprint,
    keys.blueprint,
    results.blueprint,
)
HEALTH = health.blueprint
