"""Backup of the server's secret keys, encrypted with a passphrase: scrypt and AES-256-GCM.

Without its keys a restored server voids every seat's token and signs as somebody else.
"""

import os
from pathlib import Path

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from services.core.archive import write_atomically
from services.core.backup import CannotRestore
from services.core.datadir import prepare_data_dir, read_secret, write_secret
from services.core.settings import ROWS, Settings

KEYS_FILE = "keys.enc"
KEYS_FORMAT = "stele-keys/1"
SCRYPT_COST = 1 << 15
SHORTEST_PASSPHRASE = 12


class EncryptedKeys(msgspec.Struct, frozen=True):
    """The file: what derives the key from the passphrase, and the sealed secrets."""

    format: str
    salt: bytes
    nonce: bytes
    sealed: bytes


def read_passphrase(path: Path) -> bytes:
    """The passphrase in a file that its owner alone may read."""
    passphrase = read_secret(path)
    if len(passphrase) < SHORTEST_PASSPHRASE:
        raise CannotRestore(f"The passphrase in {path} has fewer than {SHORTEST_PASSPHRASE} characters.")
    return passphrase.encode()


def secrets_of(settings: Settings) -> dict[str, str]:
    """The secrets of a data directory, by the names of their files; those that settings give are among them."""
    found = {}
    for field, row in ROWS.items():
        given, path = getattr(settings, field), settings.data_dir / row.file if row.file else None
        if path is not None and (given is not None or path.exists()):
            found[row.file] = given if given is not None else read_secret(path)
    return found


def write_keys(settings: Settings, directory: Path, passphrase: bytes) -> list[str]:
    """Write the encrypted secrets beside a backup; the names of those that are in it."""
    secrets = secrets_of(settings)
    salt, nonce = os.urandom(16), os.urandom(12)
    sealed = AESGCM(_key(passphrase, salt)).encrypt(nonce, msgspec.json.encode(secrets), KEYS_FORMAT.encode())
    write_atomically(
        directory / KEYS_FILE, msgspec.json.encode(EncryptedKeys(KEYS_FORMAT, salt, nonce, sealed))
    )
    return sorted(secrets)


def read_keys(directory: Path, passphrase: bytes) -> dict[str, str]:
    """The secrets that a backup holds, by the names of their files."""
    path = directory / KEYS_FILE
    try:
        file = msgspec.json.decode(path.read_bytes(), type=EncryptedKeys)
    except (OSError, msgspec.DecodeError):
        raise CannotRestore(f"{path} is missing or no file of encrypted keys.") from None
    if file.format != KEYS_FORMAT:
        raise CannotRestore(f"{path} is of another format: {file.format}.")
    try:
        opened = AESGCM(_key(passphrase, file.salt)).decrypt(file.nonce, file.sealed, KEYS_FORMAT.encode())
    except InvalidTag:
        raise CannotRestore(f"{path} cannot be opened: another passphrase, or the file is damaged.") from None
    secrets: dict[str, str] = msgspec.json.decode(opened)
    return secrets


def restore_keys(secrets: dict[str, str], data_dir: Path) -> None:
    """Write the secrets into a data directory; refused before anything is written if it has another one already."""
    files = {row.file for row in ROWS.values() if row.file}
    for name, secret in secrets.items():
        path = data_dir / name
        if name in files and path.exists() and read_secret(path) != secret:
            raise CannotRestore(f"{path} is another key than the backup's: move it away first.")
    prepare_data_dir(data_dir)
    for name in files & secrets.keys():
        if not (data_dir / name).exists():
            write_secret(data_dir / name, secrets[name])


def _key(passphrase: bytes, salt: bytes) -> bytes:
    return Scrypt(salt=salt, length=32, n=SCRYPT_COST, r=8, p=1).derive(passphrase)
