"""The `salt` object of templates."""

import pytest

from salt_g.api import OfferedFunctions
from salt_g.render.template_functions import TemplateFunctions


class Table(dict):
    def has_plugin(self, name):
        return name == "test"


def test_functions_are_items_and_attributes():
    salt = TemplateFunctions({"test.ping": print})

    assert salt["test.ping"] is salt.test.ping is print
    assert ("test.ping" in salt, "test.pong" in salt) == (True, False)
    assert (list(salt), len(salt)) == (["test.ping"], 1)


def test_a_missing_item_is_not_a_key_and_a_missing_attribute_no_attribute():
    salt = TemplateFunctions({"test.ping": print})

    with pytest.raises(KeyError):
        salt["test.pong"]
    with pytest.raises(AttributeError, match=r"test\.pong"):
        _ = salt.test.pong


@pytest.mark.parametrize("name", ["nosuch", "_private", "test.ping"])
def test_only_names_of_plugins_are_attributes(name):
    assert not hasattr(TemplateFunctions(Table({"test.ping": print})), name)


def test_a_plugin_that_may_exist_is_an_attribute():
    assert TemplateFunctions(Table({"test.ping": print})).test.ping is print


def test_a_function_outside_of_the_whitelist_names_the_setting():
    salt = TemplateFunctions(OfferedFunctions(Table({"cmd.run": print}), frozenset({"test"})))

    assert "cmd.run" not in salt
    assert "whitelist_modules does not list cmd" in salt.missing("cmd.run")
