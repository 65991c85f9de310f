"""Sandboxed audit of untrusted records: in a separate process with limits on time and memory.

To read and check what a stranger has made up may take long however it is done, and a thread that does it would hold
the interpreter's lock while players wait.
"""

from collections.abc import Callable

from games import RULESETS
from games.kernel import Registry
from replays.audit.audit import Audit, audit
from replays.audit.heads import Trust
from replays.audit.verify import Fault, LogTrust, read_record
from services.core.child_process import ChildFailed, ChildProcess

MAX_AUDIT_SECONDS = 60.0
"""Seconds that an examination may take."""
MAX_AUDIT_MEMORY = 2 << 30
MIN_BYTES_PER_OBJECT = 12
"""Bytes that an object or a list of a record has at least, on the whole: its members have names."""

RecordAudit = Audit | str
"""What was found; or, if it is no record at all, why not."""
RecordAuditor = Callable[[bytes, Trust, LogTrust], RecordAudit]


def audit_record_bytes(rulesets: Registry, source: bytes, trust: Trust, log: LogTrust) -> RecordAudit:
    """Read and audit a record."""
    if (source.count(b"{") + source.count(b"[")) * MIN_BYTES_PER_OBJECT > len(source) + 1000:
        return "it holds more objects than a record of its size can have"
    try:
        record = read_record(source)
    except Fault as fault:
        return fault.detail
    return audit(record, rulesets, trust=trust, log=log)


def audit_by_built_in_rules(source: bytes, trust: Trust, log: LogTrust) -> RecordAudit:
    return audit_record_bytes(RULESETS, source, trust, log)


class SandboxedAuditor:
    """Examines records in a process of its own."""

    def __init__(self) -> None:
        self._process = ChildProcess(MAX_AUDIT_SECONDS, MAX_AUDIT_MEMORY)

    def __call__(self, source: bytes, trust: Trust, log: LogTrust) -> RecordAudit:
        try:
            return self._process.run(audit_by_built_in_rules, source, trust, log)
        except ChildFailed:
            return "it cannot be read in the time and memory that there is for it"
