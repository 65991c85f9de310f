"""Serves the club, and listens to what happens in its games."""

import os

from waitress import serve

from club.app import create_app
from club.settings import Settings

if __name__ == "__main__":
    app = create_app(Settings.of(os.environ), listen=True)
    serve(app, host=os.environ.get("CLUB_HOST", "127.0.0.1"), port=int(os.environ.get("CLUB_PORT", "5000")))
