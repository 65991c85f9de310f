"""Many threads that do the same for the first time at once: in a process of their own, as there is only one first time."""

import subprocess
import sys

CROWD = """
import sys, threading
{preparation}
sys.setswitchinterval(5e-5)
together = threading.Barrier(8)

def run():
    together.wait()
    for each in {first}:
        try:
            {attempt}
        except {refusal}:
            pass

threads = [threading.Thread(target=run) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


def survives(preparation: str, *, first: str, attempt: str, refusal: str) -> bool:
    """Does a process live in which each of eight threads attempts this with every one of `first`, which is refused?"""
    program = CROWD.format(preparation=preparation, first=first, attempt=attempt, refusal=refusal)
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60
    )
    return (ended.returncode, ended.stderr) == (0, "")
