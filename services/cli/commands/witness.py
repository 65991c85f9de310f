"""`stele witness`: cosign the transparency logs of other servers, and name those that break their word."""

import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import click

from replays.audit.verify import COSIGNATURE_KEY, Fault, read_verifier_key
from replays.transparency.notes import MOST_NOTE_BYTES, NoteSigner, verifier_key
from services.core.datadir import load_or_create_secret
from services.core.logs import log_to_stderr
from services.core.settings import CannotStart, note_name, read_settings
from services.core.witness import PLAIN_TEXT, Witness, WitnessAnswer

KEY_FILE = "witness.key"
REQUEST_SECONDS = 10


@click.command()
@click.argument("logs", metavar="VERIFIER_KEY…", nargs=-1, required=True)
@click.option("--name", required=True, help="What this witness signs as, like example.org/witness.")
@click.option(
    "--directory",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where its key and the latest checkpoints are kept.  [default: witness, in the data directory]",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=8100, show_default=True, help="Port to listen on.")
def witness(logs: tuple[str, ...], name: str, directory: Path | None, host: str, port: int) -> None:
    """Cosign the checkpoints of these logs, each named by its verifier key, as long as each continues the one before.

    A log's verifier key is in /.well-known/stele-keys.json of its server. Give the key that this command prints to
    that server, with this witness's address, in STELE_WITNESSES.
    """
    settings = read_settings()
    log_to_stderr(settings.log_level)
    place = directory or settings.data_dir / "witness"
    try:
        private = bytes.fromhex(load_or_create_secret(place, KEY_FILE))
        signer = NoteSigner(note_name(name), private)
        followed = {origin: public for origin, _, public in map(read_verifier_key, logs)}
    except ValueError as wanted:
        raise CannotStart(f"The name of a witness must be {wanted}.") from None
    except Fault as fault:
        raise CannotStart(f"A log is named by its verifier key: {fault.detail}.") from None
    server = make_witness_server(Witness(signer, followed, place), host, port)
    click.echo(
        f"http://{host}:{server.server_port} {verifier_key(signer.name, signer.public, COSIGNATURE_KEY)}"
    )
    sys.stdout.flush()
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        server.server_close()


def make_witness_server(of: Witness, host: str, port: int) -> ThreadingHTTPServer:
    """An HTTP server that takes checkpoints for a witness."""

    class Handler(BaseHTTPRequestHandler):
        timeout = REQUEST_SECONDS
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = self.headers.get("Content-Length", "")
            if not length.isdecimal() or len(length) > 9 or int(length) > MOST_NOTE_BYTES:
                self.close_connection = True
                return self._send(WitnessAnswer(413, "A checkpoint and its proof are smaller.\n"))
            body = self.rfile.read(int(length))
            if self.path != "/add-checkpoint":
                return self._send(WitnessAnswer(404, "There is only /add-checkpoint here.\n"))
            return self._send(of.add_checkpoint(body.decode(errors="replace")))

        def do_GET(self) -> None:
            self._send(WitnessAnswer(405, "POST to /add-checkpoint.\n", PLAIN_TEXT))

        def _send(self, answer: WitnessAnswer) -> None:
            body = answer.body.encode()
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.content_type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Requests are no news; the witness logs what a log does wrong."""

    return ThreadingHTTPServer((host, port), Handler)
