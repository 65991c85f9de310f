"""The API for any WSGI server, on the store that the settings name: `gunicorn services.api.wsgi:app`.

Live streams are refused there, and a long poll holds a thread: `stele up` serves both in its event loop.
"""

from services.api.app import create_app
from services.api.wiring import make_context
from services.core.logs import log_to_stderr
from services.core.settings import read_settings

settings = read_settings()
log_to_stderr(settings.log_level)
app = create_app(make_context(settings))
