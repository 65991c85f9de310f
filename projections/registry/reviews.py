"""Reviews: made when somebody asks, so a rebuild drops them."""

from projections.projection import Projection

PROJECTION = Projection(
    name="reviews",
    title="reviews of settled games; made when somebody asks, so a rebuild drops them",
    keys={"reviews": "hash"},
    game_keys=("review",),
    outlives_log=True,
)
