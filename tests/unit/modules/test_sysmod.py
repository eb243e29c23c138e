"""Names, arguments and documentation of plugins."""

import pytest

from salt_g.modules import sysmod
from salt_g.modules import test as test_plugin


class Renderers:
    def names(self):
        return ["jinja", "yaml"]


def _add(name, uid=1):
    pass


@pytest.fixture(autouse=True)
def context(call_context):
    functions = {"test.ping": test_plugin.ping, "test.arg": test_plugin.arg, "user.add": _add}
    return call_context(functions=functions, states={"test.nop": test_plugin.echo}, render=Renderers())


def test_functions_are_found_by_module_name_and_pattern():
    assert sysmod.list_functions() == ["test.arg", "test.ping", "user.add"]
    assert sysmod.list_functions("test") == ["test.arg", "test.ping"]
    assert sysmod.list_functions("user.*", "test.ping") == ["test.ping", "user.add"]
    assert sysmod.list_functions("nothing") == []


def test_modules_are_found_by_pattern():
    assert sysmod.list_modules() == ["test", "user"]
    assert sysmod.list_modules("u*") == ["user"]
    assert sysmod.list_state_modules("test") == ["test"]


def test_documentation_comes_back_as_written():
    assert sysmod.doc("test.ping") == {"test.ping": test_plugin.ping.__doc__}
    assert sysmod.state_doc("test") == {"test": test_plugin.__doc__, "test.nop": test_plugin.echo.__doc__}


def test_markup_is_taken_out():
    assert sysmod._plain(".. note::\n    x\n\n.. code-block:: bash\n\n    y") == "Note:\n    x\n\n    y"


def test_arguments_are_reported_in_stock_s_form():
    assert sysmod.argspec("user.add") == {
        "user.add": {"args": ["name", "uid"], "defaults": [1], "varargs": None, "kwargs": None}
    }
    assert sysmod.argspec("test.arg")["test.arg"] == {
        "args": None,
        "defaults": None,
        "varargs": True,
        "kwargs": True,
    }


def test_renderers_are_ours_and_users():
    assert sysmod.list_renderers("y*") == ["yaml"]


def test_a_missing_kind_has_nothing():
    assert sysmod.list_runners() == []


def test_reload_modules_asks_the_loader(context):
    assert sysmod.reload_modules() is True
    assert context.services.plugins.reloaded == [()]


def test_a_schema_lists_what_is_required():
    schema = sysmod._schema("user.add", sysmod.argspec("user.add")["user.add"])

    assert schema["required"] == ["name"]
    assert schema["properties"]["uid"]["oneOf"][1]["default"] == 1
