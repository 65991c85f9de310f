"""Settings: one table, read from the environment, bad values refused by name."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from services.cli.commands.settings import settings as settings_command
from services.core.datadir import token_key
from services.core.settings import ROWS, BadSetting, read_settings, unknown_variables, variable

LONG = "a-token-of-24-characters"
NAMED_IN_THE_CONTRACTS = [
    "STELE_HOST",
    "STELE_PORT",
    "STELE_DATA_DIR",
    "STELE_WORKERS",
    "STELE_STORE_URL",
    "STELE_QUEUE_URL",
    "STELE_TOKEN_KEY",
    "STELE_HOST_TOKENS",
    "STELE_OPERATOR_TOKENS",
    "STELE_CREATE",
    "STELE_CORS_ORIGINS",
    "STELE_MIN_FREE_MB",
    "STELE_SEAL_TTL",
    "STELE_OPEN_GAME_TTL",
    "STELE_IDLE_GAME_TTL",
    "STELE_MAX_ENTRIES",
    "STELE_TRUSTED_PROXIES",
    "STELE_WEBHOOK_ALLOW_PRIVATE",
    "STELE_SIGNING_KEY",
    "STELE_ARCHIVE_DIR",
]


def test_every_setting_that_the_contracts_name_is_in_the_table() -> None:
    assert set(NAMED_IN_THE_CONTRACTS) <= {variable(field) for field in ROWS}


def test_with_nothing_set_every_setting_has_its_default() -> None:
    settings = read_settings({})
    assert (settings.host, settings.port, settings.create) == ("127.0.0.1", 8000, "open")
    assert settings.data_dir == Path.home() / ".local/share/stele"
    assert settings.store_url is None
    assert settings.token_key is None
    assert (settings.host_tokens, settings.operator_tokens, settings.cors_origins) == ({}, (), ())
    assert settings.seal_ttl == 600
    assert (settings.idle_game_ttl, settings.max_entries) == (30 * 24 * 3600, 20_000)
    assert (settings.creations_per_minute, settings.unfinished_games) == (20, 50)
    assert (settings.requests_per_second, settings.trusted_proxies) == (100, ())


def test_what_the_environment_says_is_read_by_type() -> None:
    settings = read_settings(
        {
            "STELE_PORT": "9000",
            "STELE_DATA_DIR": "games",
            "STELE_HOST_TOKENS": f"club:{LONG}, school:{LONG}:e",
            "STELE_OPERATOR_TOKENS": f"{LONG},{LONG}2",
            "STELE_CORS_ORIGINS": "https://play.example.org,http://localhost:3000",
            "STELE_CREATE": "host",
        }
    )
    assert settings.port == 9000
    assert settings.data_dir == Path.cwd() / "games"
    assert settings.host_tokens == {"club": LONG, "school": f"{LONG}:e"}
    assert settings.operator_tokens == (LONG, f"{LONG}2")
    assert settings.cors_origins == ("https://play.example.org", "http://localhost:3000")
    assert settings.create == "host"


def test_an_empty_variable_is_a_missing_one() -> None:
    assert read_settings({"STELE_PORT": "", "STELE_STORE_URL": " "}) == read_settings({})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("STELE_PORT", "http"),
        ("STELE_PORT", "0"),
        ("STELE_PORT", "65536"),
        ("STELE_WORKERS", "-1"),
        ("STELE_THINKERS", "-1"),
        ("STELE_WORKERS", "٣"),
        ("STELE_MIN_FREE_MB", "1e3"),
        ("STELE_SEAL_TTL", "0"),
        ("STELE_STORE_URL", "http://store"),
        ("STELE_STORE_URL", "localhost:6379"),
        ("STELE_TOKEN_KEY", "short"),
        ("STELE_HOST_TOKENS", "club"),
        ("STELE_HOST_TOKENS", "club:"),
        ("STELE_HOST_TOKENS", f"club:{LONG},club:{LONG}2"),
        ("STELE_HOST_TOKENS", f"club:{LONG},school:{LONG}"),
        ("STELE_HOST_TOKENS", f"club:{LONG[:23]}"),
        ("STELE_OPERATOR_TOKENS", f"{LONG},{LONG[:23]}"),
        ("STELE_TRUSTED_PROXIES", "proxy"),
        ("STELE_TRUSTED_PROXIES", "10.0.0.1/8"),
        ("STELE_REQUESTS_PER_SECOND", "many"),
        ("STELE_CREATE", "everyone"),
        ("STELE_CORS_ORIGINS", "https://example.org/play"),
        ("STELE_SIGNING_KEY", "not hex"),
    ],
)
def test_a_bad_value_is_refused_with_a_sentence_that_names_the_variable(name: str, value: str) -> None:
    with pytest.raises(BadSetting, match=rf"^{name} must be .+\.$"):
        read_settings({name: value})


def test_a_refusal_never_tells_a_secret() -> None:
    with pytest.raises(BadSetting) as refused:
        read_settings({"STELE_HOST_TOKENS": "club:tell-nobody,tell-nobody"})
    assert "tell-nobody" not in str(refused.value)
    with pytest.raises(BadSetting) as refused:
        read_settings({"STELE_STORE_URL": "http://me:tell-nobody@store"})
    assert "tell-nobody" not in str(refused.value)


def test_settings_written_to_a_log_tell_no_secret() -> None:
    assert "tell-nobody" not in repr(read_settings({"STELE_OPERATOR_TOKENS": f"tell-nobody-{LONG}"}))


def test_the_listing_says_where_each_value_comes_from_and_hides_secrets(tmp_path: Path) -> None:
    token_key(read_settings({"STELE_DATA_DIR": str(tmp_path)}))
    environ = {
        "STELE_DATA_DIR": str(tmp_path),
        "STELE_OPERATOR_TOKENS": f"tell-nobody-{LONG}",
        "STELE_STORE_URL": "redis://me:tell-nobody@store:6379",
    }
    shown = CliRunner().invoke(settings_command, ["--json"], env=environ)
    assert "tell-nobody" not in shown.output
    lines = {line["name"]: line for line in json.loads(shown.output)}
    assert lines["STELE_PORT"]["source"] == "default"
    assert lines["STELE_PORT"]["default"] == lines["STELE_PORT"]["value"] == "8000"
    assert (lines["STELE_OPERATOR_TOKENS"]["source"], lines["STELE_OPERATOR_TOKENS"]["value"]) == (
        "environment",
        "set",
    )
    assert (lines["STELE_TOKEN_KEY"]["source"], lines["STELE_TOKEN_KEY"]["value"]) == (
        "data directory",
        "set",
    )
    assert lines["STELE_STORE_URL"]["value"] == "redis://…@store:6379"
    assert all(line["meaning"] and line["default"] and line["example"] for line in lines.values())


def test_the_listing_for_people_names_every_setting_and_its_default() -> None:
    shown = CliRunner().invoke(settings_command, env={"COLUMNS": "200"})
    assert shown.exit_code == 0
    for field, row in ROWS.items():
        assert variable(field) in shown.output
        assert row.default in shown.output


def test_every_example_in_the_table_can_be_read() -> None:
    for field, row in ROWS.items():
        if "…" not in row.example and "random" not in row.example:
            read_settings({variable(field): row.example})


def test_a_misspelt_setting_is_pointed_out() -> None:
    assert unknown_variables({"STELE_PROT": "1", "STELE_PORT": "1", "HOME": "/"}) == ["STELE_PROT"]


def test_a_bad_setting_ends_a_command_with_one_sentence_and_exit_code_1() -> None:
    shown = CliRunner().invoke(settings_command, env={"STELE_PORT": "http"})
    assert shown.exit_code == 1
    assert shown.output == "Error: STELE_PORT must be a whole number from 1 to 65535, not 'http'.\n"
