import pytest

from salt_g.config import check, docs
from salt_g.config.registry import KNOWN, TOPICS, defaults
from salt_g.config.setting import FOREIGN, UNSET


def test_every_setting_is_declared_once():
    names = [setting.name for topic in TOPICS for setting in topic.SETTINGS]

    assert len(names) == len(set(names))


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.__name__.rpartition(".")[2])
def test_settings_of_a_topic_are_sorted(topic):
    names = [setting.name for setting in topic.SETTINGS]

    assert names == sorted(names)


@pytest.mark.parametrize("role", ["minion", "master"])
def test_every_default_has_the_type_that_is_declared(role):
    wrong = [
        setting.name
        for setting in KNOWN.values()
        if setting.default(role) not in (UNSET, FOREIGN) and not check.fits(setting.default(role), setting)
    ]

    assert wrong == []


def test_every_sentence_is_one():
    wrong = [
        name for name, setting in KNOWN.items() if not setting.text.endswith(".") or "\n" in setting.text
    ]

    assert wrong == []


def test_defaults_are_fresh():
    defaults("master")["file_roots"]["base"].append("/x")

    assert "/x" not in defaults("master")["file_roots"]["base"]


@pytest.mark.parametrize(
    ("name", "value", "fits"),
    [
        ("failhard", True, True),
        ("failhard", 1, False),
        ("worker_threads", "5", True),
        ("worker_threads", 2.5, False),
        ("worker_threads", True, False),
        ("loop_interval", 1, True),
        ("default_top", 2024, True),
        ("default_top", ["base"], False),
        ("master", ["a", "b"], True),
        ("file_roots", [], True),
        ("file_roots", ["/srv"], False),
        ("worker_threads", "sdb://store/key", True),
    ],
)
def test_which_values_a_setting_takes(name, value, fits):
    assert check.fits(value, KNOWN[name]) is fits


def test_names_of_users_modules_are_no_slips():
    assert check.near_names(["mysql.hots", "_private", "id", "idd", "company"]) == {}
    assert check.near_names(["file_root"]) == {"file_root": "file_roots"}


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


@pytest.mark.parametrize("name", ["pass_dir", "token_dir", "eauth_tokens", "gitfs_privkey", "token_expire"])
def test_names_that_only_sound_secret_are_shown(name):
    assert docs.masked(name, "text") == "text"


def test_the_docs_page_is_up_to_date():
    import pathlib

    committed = pathlib.Path(__file__).parents[3].joinpath("docs", "configuration.md")

    assert committed.read_text(encoding="utf-8") == docs.page(), (
        "run: python -m salt_g.config.docs > docs/configuration.md"
    )
