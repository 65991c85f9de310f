"""The club's pages."""

import re
import secrets
from typing import Any, cast
from urllib.parse import urlsplit

from flask import (
    Blueprint,
    Flask,
    abort,
    current_app,
    g,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from werkzeug.wrappers import Response

from club.listening import Listener
from club.settings import Settings
from club.sign_in import Links, Mailer
from club.store import Member, Store
from club.tables import Tables
from stele_client import Stele, SteleError

ADDRESS = re.compile(r"[^@\s]{1,64}@[^@\s]{1,190}")
LONGEST_NAME = 40
pages = Blueprint("pages", __name__)


class Club:
    """What the pages are made with."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.stele = Stele(settings.stele, settings.token)
        self.store = Store(settings.database)
        self.tables = Tables(self.stele, self.store, settings.host)
        self.links = Links(settings.secret)
        self.mailer = Mailer(settings.outbox)


def create_app(settings: Settings, *, listen: bool = False) -> Flask:
    app = Flask(__name__)
    app.secret_key = settings.secret
    app.config.update(
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=settings.secure,
        MAX_CONTENT_LENGTH=64_000,
    )
    club = Club(settings)
    app.extensions["club"] = club
    app.register_blueprint(pages)
    app.before_request(refuse_strange_posts)
    app.before_request(recognize)
    app.after_request(protect)
    app.register_error_handler(SteleError, server_refused)
    app.context_processor(lambda: {"stele": settings.public_stele, "member": g.get("member")})
    if listen:
        Listener(Stele(settings.stele, settings.token), club.store).start()
    return app


def club() -> Club:
    return cast(Club, current_app.extensions["club"])


def member() -> Member:
    if g.member is None:
        abort(redirect(url_for("pages.home")))
    return cast(Member, g.member)


# -- every request ----------------------------------------------------------------------------------------------------


def recognize() -> None:
    ref = session.get("ref")
    g.member = club().store.member(ref) if ref else None


def refuse_strange_posts() -> None:
    """What changes something comes from the club's own pages."""
    origin = request.headers.get("Origin")
    if request.method == "POST" and origin is not None and urlsplit(origin).netloc != request.host:
        abort(403)


def protect(response: Response) -> Response:
    """The browser may load the club's files and the element, and talk to the club and the game server, and no one else."""
    stele = club().settings.public_stele
    socket = urlsplit(stele)._replace(scheme="wss" if stele.startswith("https") else "ws").geturl()
    response.headers["Content-Security-Policy"] = "; ".join(
        (
            "default-src 'none'",
            f"script-src 'self' {stele}",
            "style-src 'self'",
            f"connect-src 'self' {stele} {socket}",
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        )
    )
    response.headers["Referrer-Policy"] = "same-origin"
    response.headers["X-Content-Type-Options"] = "nosniff"
    if request.endpoint != "static":
        response.headers["Cache-Control"] = "no-store"
    return response


def server_refused(error: SteleError) -> tuple[str, int]:
    """What the game server does not do, in its own words."""
    return render_template("refused.html", why=error.detail), error.status or 503


# -- signing in -------------------------------------------------------------------------------------------------------


@pages.get("/")
def home() -> str:
    if g.member is None:
        return render_template("sign_in.html")
    here, ref = club(), member().ref
    members = {each.ref: each for each in here.store.members()}
    return render_template(
        "home.html",
        games=here.tables.games(ref),
        challenges=[
            each
            for each in here.store.challenges(ref)
            if {each.challenger, each.challenged} <= members.keys()
        ],
        members=members,
        rulesets=here.tables.rulesets(),
        key=secrets.token_hex(16),
    )


@pages.post("/sign-in")
def send_link() -> str:
    """Send a link; what is answered is the same for members and strangers."""
    email, name = request.form.get("email", "").strip().lower(), request.form.get("name", "").strip()
    if not ADDRESS.fullmatch(email) or not 0 < len(name) <= LONGEST_NAME:
        abort(400)
    here = club()
    link = url_for("pages.show_link", link=here.links.make(email, name), _external=True)
    here.mailer.send(email, "Your way into the club", f"Follow this link within a quarter of an hour: {link}")
    return render_template("sent.html")


@pages.get("/enter/<link>")
def show_link(link: str) -> str:
    """A button: programs that look at links in mails use none up."""
    if club().links.read(link) is None:
        abort(403)
    return render_template("enter.html", link=link)


@pages.post("/enter/<link>")
def enter(link: str) -> Response:
    found = club().links.read(link)
    came = found and club().store.enter(*found)
    if not came:
        abort(403)
    session.clear()
    session["ref"] = came.ref
    session.permanent = True
    return redirect(url_for("pages.home"), 303)


@pages.post("/sign-out")
def leave() -> Response:
    session.clear()
    return redirect(url_for("pages.home"), 303)


# -- games ------------------------------------------------------------------------------------------------------------


def ruleset_wanted() -> str:
    wanted = request.form.get("ruleset", "")
    if wanted not in club().tables.rulesets():
        abort(400)
    return wanted


@pages.post("/challenges")
def challenge() -> Response:
    here, challenger = club(), member()
    other = here.store.member(request.form.get("member", ""))
    if other is None or other.ref == challenger.ref:
        abort(400)
    number = here.store.challenge(challenger.ref, other.ref, ruleset_wanted())
    here.store.tell(other.ref, "challenge", str(number), f"{challenger.name} challenges you.", "/")
    here.mailer.send(
        other.email, "A challenge", f"{challenger.name} wants to play with you: {request.host_url}"
    )
    return redirect(url_for("pages.home"), 303)


@pages.post("/challenges/<int:number>")
def answer_challenge(number: int) -> Response:
    here, me = club(), member()
    found = here.store.find_challenge(number, me.ref)
    challenger = found and here.store.member(found.challenger)
    if found is None or challenger is None:
        abort(404)
    to = url_for("pages.home")
    if request.form.get("answer") == "accept":
        to = url_for("pages.show_game", game=here.tables.start(found, [challenger, me]))
    here.store.end_challenge(number)
    here.store.forget_news(me.ref, str(number), "challenge")
    return redirect(to, 303)


@pages.post("/games")
def play_bot() -> Response:
    key = request.form.get("key", "")
    if not re.fullmatch(r"[0-9a-f]{32}", key):
        abort(400)
    game = club().tables.start_against_bot(ruleset_wanted(), member(), f"{member().ref}-{key}")
    return redirect(url_for("pages.show_game", game=game), 303)


@pages.get("/games/<game>")
def show_game(game: str) -> str:
    here, me = club(), member()
    state = here.tables.look(game)
    here.store.forget_news(me.ref, game)
    return render_template("game.html", game=state, title=here.tables.rulesets()[state.ruleset])


@pages.get("/games/<game>/seat")
def show_seat(game: str) -> dict[str, Any]:
    """The token of this member's seat, for the element: on whichever device the member signs in."""
    return {"token": club().tables.token(game, member().ref)}


@pages.post("/games/<game>/rematch")
def rematch(game: str) -> Response:
    again = club().tables.rematch(game, member().ref)
    club().store.forget_news(member().ref, game, "rematch")
    return redirect(url_for("pages.show_game", game=again or game), 303)


@pages.get("/ratings/<ruleset>")
def show_ratings(ruleset: str) -> str:
    here = club()
    if ruleset not in here.tables.rulesets():
        abort(404)
    names = {each.ref: each.name for each in here.store.members()}
    return render_template(
        "ratings.html",
        ruleset=here.tables.rulesets()[ruleset],
        ratings=here.tables.ratings(ruleset),
        names=names,
    )


@pages.get("/news")
def show_news() -> dict[str, Any]:
    """What the page shows at its top, and asks for now and then."""
    return {"news": [each._asdict() for each in club().store.news(member().ref)]}
