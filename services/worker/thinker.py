"""A thinker process: a worker that lets bots think, and makes reviews while none does, so that nothing else waits."""

from services.core.settings import read_settings
from services.worker.priority import THINKER_NICENESS, lower_priority
from services.worker.process import work
from services.worker.queue import REVIEWS, THINKING

if __name__ == "__main__":
    lower_priority(THINKER_NICENESS)
    work(read_settings(), [THINKING, REVIEWS])
