"""Plugins for parts of a daemon: lookup, calls with settings, calls about a minion."""

import pytest

from salt_g.errors import SaltGError
from salt_g.loader.part_plugins import PartPlugins

MINE = """
import sys


def setting(name):
    return __opts__[name]


def whole():
    return __opts__


def about(word):
    return [word, __opts__["id"], __grains__.get("os"), __pillar__.get("role")]


def wants(username, badge=None):
    return badge


def takes_all(**kwargs):
    return kwargs


def ends():
    sys.exit("enough")
"""


@pytest.fixture
def plugins(tmp_path):
    (tmp_path / "auth").mkdir()
    (tmp_path / "auth" / "mine.py").write_text(MINE)
    return PartPlugins({"extension_modules": str(tmp_path), "id": "boss", "colour": "red"}, "auth")


def test_a_function_is_found_and_sees_the_settings(plugins):
    assert plugins.has("mine.setting") and not plugins.has("mine.nosuch") and not plugins.has("other.setting")
    assert plugins.call("mine.setting", "colour") == "red"
    assert type(plugins.call("mine.whole")) is dict
    with pytest.raises(LookupError):
        plugins.call("mine.nosuch")


def test_a_call_about_a_minion_sees_its_data(plugins):
    assert plugins.call_about("m1", {"os": "Debian"}, {"role": "web"}, "mine.about", "x") == [
        *("x", "m1", "Debian", "web")
    ]
    assert plugins.call("mine.about", "x") == ["x", "boss", None, None]
    with pytest.raises(LookupError):
        plugins.call_about("m1", {}, {}, "mine.nosuch")


def test_a_function_gets_the_keywords_that_it_takes(plugins):
    given = {"username": "ann", "badge": 7, "other": 1}

    assert plugins.named("mine.wants", given) == {"username": "ann", "badge": 7}
    assert plugins.named("mine.takes_all", given) == given
    assert plugins.named("mine.nosuch", given) == {}


def test_a_plugin_that_ends_its_process_is_an_error(plugins):
    with pytest.raises(SaltGError, match=r"of the kind auth called sys.exit\('enough'\)"):
        plugins.call("mine.ends")
