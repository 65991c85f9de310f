"""The routes: each reads a request, makes one call, and answers. To import this package fills the table."""

from importlib import import_module
from pkgutil import iter_modules

from services.api import page
from services.api.table import TABLE

for found in iter_modules(__path__):
    import_module(f"{__name__}.{found.name}")

__all__ = ["TABLE", "page"]
