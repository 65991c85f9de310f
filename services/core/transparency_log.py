"""The transparency log of a server: its own source of truth, backed up and never rebuilt.

After a rollback a successor begins, a log of its own in the next directory; the earlier ones go on to prove what they
hold.
"""

from pathlib import Path
from typing import Any

from events.canonical import canonical
from replays.audit.verify import is_successor
from replays.transparency.notes import NoteSigner, verifier_key
from services.core.log_files import LogFiles
from services.core.settings import Settings, log_dir


class TransparencyLog:
    """The log of a server, and those before it that were succeeded."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def logs(self) -> list[LogFiles]:
        """Every log, the present one first."""
        numbered = sorted(int(path.name) for path in self.directory.glob("[1-9]*") if path.name.isdecimal())
        logs = [LogFiles(self.directory / str(number)) for number in reversed(numbered)]
        return [log for log in logs if log.exists()]

    def present(self) -> LogFiles | None:
        return next(iter(self.logs()), None)

    def proof(self, leaf: bytes) -> str | None:
        """The proof of a leaf, in whichever log has it."""
        return next((proof for log in self.logs() if (proof := log.proof(leaf))), None)

    def listed_keys(self) -> list[dict[str, Any]]:
        """The public keys of every log, the present one first."""
        about = [log.about() for log in self.logs()]
        return [
            {
                "origin": each.origin,
                "public_key": each.public.hex(),
                "verifier_key": verifier_key(each.origin, each.public),
                "algorithm": "Ed25519",
                "retired": place > 0,
            }
            for place, each in enumerate(about)
        ]

    # -- writing ----------------------------------------------------------------------------------------------------

    def ready(self, name: str, private: bytes) -> tuple[LogFiles, NoteSigner]:
        """The log to write to, made if there is none, and its signer; refused if it is of another key or name."""
        log, signer = self.present(), NoteSigner(name, private)
        if log is None:
            log = LogFiles(self.directory / "1")
            log.begin(signer)
        about = log.about()
        is_ours = about.origin == name or is_successor(about.origin, name)
        if about.public != signer.public or not is_ours:
            raise AnotherLog(
                f"The transparency log in {log.directory} is {about.origin}, of another key or name than STELE_LOG_KEY"
                " and STELE_LOG_ORIGIN say: put its key back, or move the directory away to start another log."
            )
        return log, NoteSigner(about.origin, private)

    def succeed(self, before: LogFiles, name: str, private: bytes) -> str | None:
        """Begin a successor of a log, and name it; None if that one has promised nothing yet."""
        checkpoint = before.latest_checkpoint()
        if checkpoint is None:
            return None
        number = int(before.directory.name) + 1
        signer = NoteSigner(f"{name}/{number}", private)
        leaf = canonical({"checkpoint": checkpoint.note, "kind": "succeeds", "v": 1})
        LogFiles(self.directory / str(number)).begin(signer, [leaf])
        return signer.name

    def restore(self, copies: "TransparencyLog", name: str, private: bytes) -> str | None:
        """Bring back the logs of a backup. What was published since is rolled back: the successor that says so, by name.

        Only where the files are still those of the backup, the log goes on as if nothing had happened.
        """
        there, here = copies.present(), self.present()
        if there is None:
            return None
        is_rollback = here is None or here.about() != there.about()
        successor = self.succeed(here or there, name, private) if is_rollback else None
        for log in copies.logs():
            copy = LogFiles(self.directory / log.directory.name)
            if not copy.exists():
                log.copy_to(copy.directory)
        return successor

    def holds(self, leaf: bytes) -> bool:
        """Does a log that was succeeded show this leaf already?"""
        return any(log.proof(leaf) for log in self.logs()[1:])


class AnotherLog(Exception):
    """The files of a log are not those of this server's key."""


def transparency_log_of(settings: Settings) -> TransparencyLog | None:
    """The log of this server, if it keeps one."""
    directory = log_dir(settings)
    return TransparencyLog(directory) if directory else None
