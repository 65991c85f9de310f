"""The projections: each module here defines one, as `PROJECTION`."""

from importlib import import_module
from pkgutil import iter_modules

from projections.projection import Projection

PROJECTIONS: tuple[Projection, ...] = tuple(
    import_module(f"{__name__}.{module.name}").PROJECTION for module in iter_modules(__path__)
)
REBUILT = {projection.name: projection for projection in PROJECTIONS if projection.rebuilt}
"""Those that can be dropped and made again, by name."""
