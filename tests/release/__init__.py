"""Release artefacts: what `make release` builds, and whether each works on its own in a clean environment."""
