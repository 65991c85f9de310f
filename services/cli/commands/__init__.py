"""The commands of `stele`, one module each; `services.cli` gathers them."""
