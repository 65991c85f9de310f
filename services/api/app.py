"""The API as an application of the HTTP core, and as a WSGI application of Flask."""

from flask import Flask

from services.api.context import Context
from services.api.hooks import ApiHooks
from services.api.page import site
from services.api.routes import TABLE
from services.http.application import Application
from services.http.flask_mount import mount


def make_application(context: Context) -> Application:
    """The application that serves this context."""
    site()  # its files are read now: no request waits for them
    return Application(TABLE, context, ApiHooks(context.cors_origins))


def create_app(context: Context) -> Flask:
    """The same for servers that know WSGI."""
    return wsgi_app(make_application(context))


def wsgi_app(application: Application) -> Flask:
    """An application for servers that know WSGI, and for the routes that the front runs in threads."""

    def is_newer(game: str, version: int) -> bool:
        return bool(application.context.store.head(game).seq > version)

    return mount(application, is_newer)
