"""`python -m tests.front.hasty`: the API as people run it, but with less patience, so that tests need not wait long."""

from services.api import serve
from services.core.settings import read_settings
from services.front import load_shedding, reading, rsgi, sending

HEADER_SECONDS = 1.0
BODY_SECONDS = 1.0
READING_SECONDS = 1.0
UPLOAD_SECONDS = 0.5
CROWD = 48

if __name__ == "__main__":
    serve.HEADER_SECONDS = HEADER_SECONDS
    reading.BODY_SECONDS = BODY_SECONDS
    sending.CLIENT_READ_TIMEOUT = READING_SECONDS
    rsgi.UPLOAD_SECONDS = UPLOAD_SECONDS
    load_shedding.MAX_CONCURRENT.update(dict.fromkeys(load_shedding.MAX_CONCURRENT, CROWD))
    serve.serve(read_settings())
