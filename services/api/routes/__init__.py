"""The routes: each reads a request, makes one call, and answers."""

from services.api.routes import (
    audit,
    ending,
    feed,
    forks,
    games,
    health,
    keys,
    log,
    pictures,
    play,
    replay,
    results,
    review,
    rulesets,
    seats,
    webhooks,
)

BLUEPRINTS = (
    rulesets.blueprint,
    games.blueprint,
    forks.blueprint,
    seats.blueprint,
    play.blueprint,
    ending.blueprint,
    log.blueprint,
    replay.blueprint,
    pictures.blueprint,
    audit.blueprint,
    review.blueprint,
    keys.blueprint,
    results.blueprint,
    feed.blueprint,
    webhooks.blueprint,
)
HEALTH = health.blueprint
