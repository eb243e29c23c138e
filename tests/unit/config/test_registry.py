import pytest

from salt_g.config import check
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
