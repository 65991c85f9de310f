"""What is released works on its own, away from the checkout."""

from pathlib import Path

import pytest

from tests.release.artefacts import build_all
from tests.release.trial import try_all


@pytest.mark.long
@pytest.mark.timeout(900)
def test_every_artefact_of_a_release_works_in_a_clean_environment(tmp_path: Path) -> None:
    artefacts = {artefact.name.partition("-0")[0] for artefact in build_all(tmp_path / "dist")}
    assert artefacts == {"stele", "stele_client", "stele_terminal", "stele-client", "stele-board"}
    tried = list(try_all(tmp_path / "dist", tmp_path))
    assert len(tried) == 8
