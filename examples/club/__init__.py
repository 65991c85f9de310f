"""A small club on top of Stele: accounts, games, challenges, ratings and news, with nothing but the public API.

STELE_HOST_TOKENS=club:TOKEN STELE_CORS_ORIGINS=http://127.0.0.1:5000 stele up
cd examples && CLUB_TOKEN=TOKEN CLUB_SECRET=$(openssl rand -hex 32) python -m club
"""

from club.app import create_app

__all__ = ["create_app"]
