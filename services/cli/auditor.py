"""The auditor of the command line: audits records in files and games of this server, one or many."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import click
import msgspec

from events.entries import GameSettled
from events.keys import is_game_id
from events.store_errors import STORE_FAILED
from games.kernel import Registry
from replays.audit.audit import Audit, audit
from replays.audit.heads import Trust
from replays.audit.verify import LogTrust, read_record
from services.cli.store_access import OpenStore, check_game, explain_unavailable, open_store_with, read_file
from services.core.records import Evidence, audit_game, own_log_trust
from services.core.settings import ROWS, CannotStart, Settings, read_settings
from services.core.signing import make_signer
from services.core.transparency_log import TransparencyLog, transparency_log_of


def with_own_tiles(logs: LogTrust, log: TransparencyLog | None) -> LogTrust:
    """Look up in this machine's own log, if the checkpoints that were kept are of it and no other place is named."""
    origins = {checkpoint.origin for checkpoint in logs.checkpoints}
    own = next((each for each in log.logs() if each.about().origin in origins), None) if log else None
    return logs._replace(tiles=own.read_tile) if own and logs.tiles is None else logs


class CannotAudit(click.ClickException):
    """There is nothing to audit; one line says why."""

    exit_code = 2


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of one subject of many: its audit, or why there is none."""

    subject: str
    audit: Audit | None = None
    problem: str | None = None


@contextmanager
def no_verdict() -> Iterator[None]:
    """What cannot be reached is neither good nor bad: exit code 2, not 1."""
    try:
        with explain_unavailable():
            yield
    except CannotStart as problem:
        raise CannotAudit(problem.message) from None


@dataclass(frozen=True)
class Auditor:
    """Audits subjects, each a file or a game's id, by the keys and heads it was given.

    Other processes may be given one that has not begun: each connects to the store by itself.
    """

    rulesets: Registry
    environ: Mapping[str, str]
    evidence: Evidence

    def audit(self, subject: str) -> Audit:
        """One subject, whatever stands in the way is an error."""
        return self._file(Path(subject)) if Path(subject).exists() else self._game(subject)

    def find(self, subject: str) -> Finding:
        """One subject of many: what cannot be audited does not hinder the others."""
        try:
            return Finding(subject, self.audit(subject))
        except CannotAudit as problem:
            return Finding(subject, problem=problem.message)
        except STORE_FAILED:
            raise
        except Exception as problem:  # by its kind alone: the message may tell what is hidden
            return Finding(subject, problem=f"{subject} cannot be audited: {type(problem).__name__}.")

    def find_settled(self, game: str) -> Finding | None:
        """The same of a game of this server, if it is settled; None if it is still played."""
        try:
            latest = self._here.store.read(game, self._here.store.head(game).seq - 1)
        except STORE_FAILED:
            raise
        except Exception:
            return self.find(game)  # which will say what is wrong
        return self.find(game) if isinstance(latest[-1].data, GameSettled) else None

    def _file(self, path: Path) -> Audit:
        """A record; without keys given, this machine's own is the only one known."""
        record = read_file(path, read_record, CannotAudit)
        trust, witness, logs, parent = self.evidence
        logs = with_own_tiles(logs or own_log_trust(self._log, own=False), self._log)
        return audit(record, self.rulesets, None, trust or self._own_key(), witness, logs, parent)

    def _own_key(self) -> Trust:
        """The key of this machine's server, if it has one: a signature with another may be as good."""
        settings = self._settings
        if not settings.signing_key and not (settings.data_dir / ROWS["signing_key"].file).exists():
            return Trust({}, only_these=False)
        signer = make_signer(settings)
        return Trust({signer.key_id: signer.public}, only_these=False)

    def _game(self, game_id: str) -> Audit:
        """A game of this server."""
        if not is_game_id(game_id):
            raise CannotAudit(f"{game_id} is neither a file nor a game's id.")
        with no_verdict():
            here = self._here
            check_game(here.store, game_id)
        logs = with_own_tiles(self.evidence.logs, self._log) if self.evidence.logs else None
        evidence = self.evidence._replace(logs=logs)
        return audit_game(here.store, here.keys, self.rulesets, game_id, evidence, self._log)

    @cached_property
    def _log(self) -> TransparencyLog | None:
        return transparency_log_of(self._settings)

    @cached_property
    def _settings(self) -> Settings:
        return read_settings(self.environ)

    @cached_property
    def _here(self) -> OpenStore:
        return open_store_with(self._settings, self.rulesets)
