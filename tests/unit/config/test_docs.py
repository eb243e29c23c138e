"""Settings as shown to people: without secrets, and all on one page."""

import pathlib

import pytest

from salt_g.config import docs
from salt_g.config.registry import KNOWN
from salt_g.config.settings import load


@pytest.fixture
def settings(tmp_path):
    (tmp_path / "minion").write_text(
        "id: web1\nmine_interval: 5\nmysql.pass: pw\next_pillar: [{http: {password: pw}}]\n"
    )
    return load("minion", str(tmp_path))


def test_settings_that_differ_from_their_defaults_are_shown_by_name(settings, tmp_path):
    rows = docs.describe(settings, only_changed=True)

    names = [row.name for row in rows]
    assert names == sorted(names)
    assert {"id", "mine_interval", "mysql.pass"} <= set(names)
    assert "hash_type" not in names
    assert docs.SettingRow("mine_interval", 5, f"{tmp_path}/minion:2") in rows


def test_given_names_are_shown_in_their_order_and_unknown_ones_are_not(settings):
    rows = docs.describe(settings, ["id", "nonsense", "hash_type"])

    assert [(row.name, row.value) for row in rows] == [("id", "web1"), ("hash_type", "sha256")]


def test_no_secret_of_the_files_is_shown(settings):
    assert "pw" not in [row.value for row in docs.describe(settings)]
    assert docs.describe(settings, ["mysql.pass"])[0].value == docs.MASK
    assert docs.describe(settings, ["ext_pillar"])[0].value == [{"http": {"password": docs.MASK}}]


def test_no_setting_of_our_own_use_is_shown(settings):
    assert any(name.startswith("__") for name in settings.opts)
    assert not any(row.name.startswith("__") for row in docs.describe(settings))


def test_secrets_are_masked_at_any_depth():
    value = {"user": "me", "password": "pw", "list": [{"api_key": "k"}], "empty": {"pass": ""}}

    masked = docs.masked("external", value)

    assert masked == {
        "user": "me",
        "password": docs.MASK,
        "list": [{"api_key": docs.MASK}],
        "empty": {"pass": ""},
    }


@pytest.mark.parametrize("name", ["gitfs_password", "cluster_secret", "key_pass", "mysql.pass", "ssh_passwd"])
def test_names_of_secrets_are_known(name):
    assert docs.masked(name, "text") == docs.MASK
    assert docs.masked(name, 12345) == docs.MASK
    assert docs.masked(name, True) is True


@pytest.mark.parametrize("name", ["pass_dir", "token_dir", "eauth_tokens", "gitfs_privkey", "token_expire"])
def test_names_that_only_sound_secret_are_shown(name):
    assert docs.masked(name, "text") == "text"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://salt:s@cr/et@h/db", f"postgresql://salt:{docs.MASK}@h/db"),
        ("postgresql://h/db?password=s&ecret", f"postgresql://h/db?password={docs.MASK}"),
        (
            "postgresql://h/db?sslmode=require&pass%77ord=s",
            f"postgresql://h/db?sslmode=require&pass%77ord={docs.MASK}",
        ),
        ("postgresql://h/db?pwd=s", f"postgresql://h/db?pwd={docs.MASK}"),
        ("postgresql://h/db?oauth_client_secret=s", f"postgresql://h/db?oauth_client_secret={docs.MASK}"),
        ("postgresql://h/db?scram_client_key=s", f"postgresql://h/db?scram_client_key={docs.MASK}"),
        ("host=h password=secret dbname=d", f"host=h password={docs.MASK} dbname=d"),
    ],
)
def test_a_password_in_a_url_is_masked_to_its_end(url, shown):
    assert docs.masked("store", url) == shown


def test_the_docs_page_is_up_to_date():
    committed = pathlib.Path(__file__).parents[3].joinpath("docs", "configuration.md")

    assert committed.read_text(encoding="utf-8") == docs.page(), (
        "run: python -m salt_g.config.docs > docs/configuration.md"
    )


def test_the_page_has_one_row_of_four_columns_for_each_setting():
    rows = [line for line in docs.page().splitlines() if line.startswith("| `")]

    assert len(rows) == len(KNOWN)
    assert {row.replace("\\|", "").count("|") for row in rows} == {5}


@pytest.mark.parametrize(
    ("name", "nearest"), [("hash_tpye", "hash_type"), ("worker_thread", "worker_threads"), ("zzz", None)]
)
def test_the_nearest_name_is_found(name, nearest):
    assert docs.nearest(name) == nearest
