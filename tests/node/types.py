"""`python -m tests.node.types DOCUMENT FILE` writes the TypeScript types of an OpenAPI document."""

import subprocess
import sys
from pathlib import Path

from tests.node import node, node_environment, package


def write_types(document: Path, file: Path) -> str:
    """Write them; what the generator had to say."""
    generator = package("openapi-typescript") / "bin/cli.js"
    command = [node(), str(generator), str(document), "--output", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, env=node_environment(), check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


if __name__ == "__main__":
    write_types(Path(sys.argv[1]), Path(sys.argv[2]))
