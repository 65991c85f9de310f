"""Web Push: what is sent can be read by the browser that it is for, and by nobody else."""

import json
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from services.core.settings import BadSetting, Settings, read_settings
from services.core.web_push import (
    PADDED_TO,
    PushKey,
    encrypt,
    from_base64url,
    make_push_key,
    read_subscriber_keys,
)
from tests.worker.browser import Browser
from tests.worker.receiver import receiving

PRIVATE = "5c" * 32


@pytest.fixture
def browser() -> Any:
    with receiving() as service:
        yield Browser(service)


@pytest.mark.parametrize("message", [b"{}", b'{"text":"\xc3\x80 vous"}', b'"' + b"x" * 1500 + b'"'])
def test_a_message_is_read_by_its_browser(browser: Browser, message: bytes) -> None:
    assert browser.read(encrypt(message, browser.p256dh, browser.auth)) == json.loads(message)


def test_no_other_browser_reads_it(browser: Browser) -> None:
    other = Browser(browser.service)
    with pytest.raises(Exception, match=r".*"):
        other.read(encrypt(b"{}", browser.p256dh, browser.auth))


def test_messages_of_different_lengths_look_alike_and_no_two_are_the_same(browser: Browser) -> None:
    short, longer = (encrypt(text, browser.p256dh, browser.auth) for text in (b"{}", b'"Ann and Ben"'))
    assert len(short) == len(longer) >= PADDED_TO
    assert short != encrypt(b"{}", browser.p256dh, browser.auth)


def claims_of(header: str, public: str) -> Any:
    """What the header of a push says, once its signature is checked."""
    scheme, _, rest = header.partition(" ")
    token, key = (part.partition("=")[2] for part in rest.split(", "))
    assert (scheme, key) == ("vapid", public)
    head, claims, signature = token.split(".")
    raw = from_base64url(signature)
    der = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), from_base64url(key))
    point.verify(der, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    with pytest.raises(InvalidSignature):
        point.verify(der, f"{head}.{claims}x".encode(), ec.ECDSA(hashes.SHA256()))
    assert json.loads(from_base64url(head)) == {"typ": "JWT", "alg": "ES256"}
    return json.loads(from_base64url(claims))


def test_a_push_service_is_told_who_sends_for_half_a_day() -> None:
    key = PushKey(PRIVATE, "mailto:games@example.org")
    header = key.authorization("https://push.example.org:8443/send/abc?x=1", now=1000.0)
    assert claims_of(header, key.public) == {
        "aud": "https://push.example.org:8443",
        "exp": 1000 + 12 * 3600,
        "sub": "mailto:games@example.org",
    }
    assert "sub" not in claims_of(PushKey(PRIVATE).authorization("https://push.example.org/1"), key.public)


def test_the_key_is_made_once_and_kept(tmp_path: Any) -> None:
    settings = Settings(data_dir=tmp_path)
    assert make_push_key(settings).public == make_push_key(settings).public
    assert (tmp_path / "push.key").stat().st_mode & 0o077 == 0
    given = Settings(data_dir=tmp_path, push_key=PRIVATE)
    assert make_push_key(given).public == PushKey(PRIVATE).public != make_push_key(settings).public


@pytest.mark.parametrize("written", ["", "00" * 32, "ff" * 32, "5C" * 32, "5c"])
def test_a_key_that_is_none_is_refused(written: str) -> None:
    if written:
        with pytest.raises(BadSetting, match="STELE_PUSH_KEY"):
            read_settings({"STELE_PUSH_KEY": written})
    for p256dh, auth in (("BAAA", "a" * 22), ("!!", "a" * 22), ("A" * 87, "a" * 22), ("", "")):
        with pytest.raises(ValueError, match=r"."):
            read_subscriber_keys(p256dh, auth)
