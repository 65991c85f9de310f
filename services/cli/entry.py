"""`stele` on the command line: a thin group, its commands are in `services.cli.commands`."""

import click

from services.cli.commands.archive import archive
from services.cli.commands.audit import audit_command
from services.cli.commands.backup import backup, restore
from services.cli.commands.dispatcher import dispatcher
from services.cli.commands.jobs import jobs
from services.cli.commands.picture import picture_command
from services.cli.commands.play import play
from services.cli.commands.rebuild import rebuild
from services.cli.commands.records import export, forget, import_record
from services.cli.commands.replay import replay
from services.cli.commands.review import review_command
from services.cli.commands.selfplay import selfplay
from services.cli.commands.settings import settings
from services.cli.commands.up import up
from services.cli.commands.webhooks import webhooks
from services.cli.commands.worker import worker


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog="`stele COMMAND --help` explains a command. `stele up` is where to begin; then open http://127.0.0.1:8000.",
)
@click.version_option(package_name="stele")
def main() -> None:
    """Stele, a board-game server where the log is the truth: every move carved in stone.

    Players act over HTTP, each action is one entry of the game's log, and a finished game can be replayed and audited
    by anyone, to the last shuffle.
    """


for command in (
    up,
    play,
    settings,
    selfplay,
    audit_command,
    replay,
    review_command,
    picture_command,
    export,
    import_record,
    forget,
    archive,
    backup,
    restore,
    dispatcher,
    worker,
    jobs,
    rebuild,
    webhooks,
):
    main.add_command(command)
