"""Plugins by name: gated by `__virtual__`, and imported only on demand."""

import os
import shutil
import sys

import pytest

from salt_g.api import OfferedFunctions
from salt_g.errors import NoSuchFunction, NotOffered
from salt_g.loader import Loader


@pytest.fixture
def user_modules(tmp_path):
    """Return a function that writes users' execution modules and returns a loader's table over them."""
    directory = tmp_path / "user"
    directory.mkdir()

    def write(files, **opts):
        for name, text in files.items():
            path = directory / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        loader = Loader({"cachedir": str(tmp_path / "cache"), "module_dirs": [str(directory)], **opts})
        return loader.table("modules")

    return write


def test_a_function_of_a_file_is_found_by_the_files_name(user_modules):
    table = user_modules({"greet.py": "def hello(name):\n    return 'hello ' + name\n"})

    assert table["greet.hello"]("you") == "hello you"


def test_a_virtual_name_takes_the_place_of_the_files_name(user_modules):
    table = user_modules({"aptish.py": "__virtualname__ = 'packages'\ndef ping():\n    return 1\n"})

    assert table["packages.ping"]() == 1
    assert "aptish.ping" not in table


def test_a_name_returned_by_virtual_is_found_in_the_source(user_modules):
    table = user_modules({"x1.py": "def __virtual__():\n    return 'renamed'\ndef ping():\n    return 2\n"})

    assert table["renamed.ping"]() == 2


def test_a_computed_virtual_name_is_found_by_loading(user_modules):
    table = user_modules(
        {"x1.py": "NAME = 'ren' + 'amed'\ndef __virtual__():\n    return NAME\ndef ping():\n    return 2\n"}
    )

    assert table["renamed.ping"]() == 2


def test_the_reason_of_a_refusing_virtual_is_reported(user_modules):
    table = user_modules(
        {"no.py": "def __virtual__():\n    return (False, 'needs a moon')\ndef f():\n    return 1\n"}
    )

    with pytest.raises(NoSuchFunction) as caught:
        table["no.f"]

    assert str(caught.value) == "'no' __virtual__ returned False: needs a moon"


def test_two_files_may_serve_one_virtual_name(user_modules):
    table = user_modules(
        {
            "a_pkg.py": "__virtualname__ = 'p'\ndef __virtual__():\n    return False\ndef f():\n    1\n",
            "b_pkg.py": "__virtualname__ = 'p'\ndef f():\n    return 'b'\n",
        }
    )

    assert table["p.f"]() == "b"


def test_providers_choose_among_files_of_one_virtual_name(user_modules):
    files = {f"{n}_pkg.py": f"__virtualname__ = 'p'\ndef f():\n    return '{n}'\n" for n in "ab"}

    assert user_modules(files, providers={"p": "b_pkg"})["p.f"]() == "b"


@pytest.mark.parametrize("virtual", ["return False, 'not here'", "return 'q'", "return 'p'"])
def test_a_provider_serves_whatever_its_virtual_function_says(user_modules, virtual):
    files = {
        "a_pkg.py": "__virtualname__ = 'p'\ndef f():\n    return 'a'\n",
        "b_pkg.py": f"def __virtual__():\n    {virtual}\ndef f():\n    return 'b'\n",
    }

    assert user_modules(files, providers={"p": "b_pkg"})["p.f"]() == "b"


def test_a_provider_that_is_not_a_file_replaces_nothing(user_modules):
    files = {
        "one_pkg.py": "__virtualname__ = 'p'\n\ndef __virtual__():\n    return 'p'\n\ndef f():\n    return 1"
    }

    table = user_modules(files, providers={"p": "gone_pkg"})

    assert table["p.f"]() == 1
    assert table.has_plugin("p")


def test_func_alias_renames_a_function(user_modules):
    table = user_modules({"m.py": "__func_alias__ = {'list_': 'list'}\ndef list_():\n    return []\n"})

    assert table["m.list"]() == []
    assert "m.list_" not in table


def test_a_package_is_a_plugin(user_modules):
    table = user_modules(
        {"pack/__init__.py": "from .inner import f\n", "pack/inner.py": "def f():\n    return 3\n"}
    )

    assert table["pack.f"]() == 3


def test_a_syntax_error_is_the_reason_and_others_still_load(user_modules, caplog):
    table = user_modules({"broken.py": "def f(:\n", "fine.py": "def f():\n    return 1\n"})

    assert table["fine.f"]() == 1
    with pytest.raises(NoSuchFunction, match=r"broken\.py cannot be loaded: line 1: invalid syntax"):
        table["broken.f"]
    assert "broken.py" in caplog.text


def test_an_unknown_name_comes_with_the_nearest_ones(user_modules):
    table = user_modules({"greet.py": "def hello():\n    return 1\n"})

    with pytest.raises(NoSuchFunction) as caught:
        table["greet.helo"]

    assert str(caught.value) == "'greet.helo' is not available."
    assert caught.value.nearest == ["greet.hello"]


def test_functions_of_another_file_with_the_same_virtual_name_are_not_suggested(user_modules):
    files = {f"{n}_pkg.py": f"__virtualname__ = 'p'\ndef only_{n}():\n    return 1\n" for n in "ab"}

    with pytest.raises(NoSuchFunction) as caught:
        user_modules(files, providers={"p": "a_pkg"})["p.only_b"]

    assert caught.value.nearest == ["p.only_a"]


def test_functions_of_an_unavailable_plugin_are_not_suggested(user_modules):
    table = user_modules({"no.py": "def __virtual__():\n    return False\ndef f():\n    1\n"})

    with pytest.raises(NoSuchFunction) as caught:
        table["no.f"]

    assert caught.value.nearest == []


def test_looking_up_one_function_imports_one_file(user_modules):
    table = user_modules({"only.py": "def f():\n    return 1\n", "other_file.py": "def f():\n    return 1\n"})

    table["only.f"]()

    assert "salt_g_user.modules.other_file" not in sys.modules


def test_users_files_get_stocks_names(user_modules, call_context):
    table = user_modules(
        {
            "m.py": "def f():\n"
            "    return [__grains__['os'], __opts__['id'], __salt__['a.b'](), __salt__.a.b(), str(__env__)]\n"
        }
    )
    call_context(functions={"a.b": lambda: "called"}, grains={"os": "Debian"}, opts={"id": "m1"})

    assert table["m.f"]() == ["Debian", "m1", "called", "called", "base"]


@pytest.mark.parametrize(("file", "function"), [("cmdmod", "cmd.run"), ("x509_v2", "x509.read_csr")])
def test_a_file_of_stock_can_be_disabled_and_listed_by_its_name(file, function):
    assert function in Loader({}).table("modules")
    assert function not in Loader({"disable_modules": [file]}).table("modules")
    assert function in OfferedFunctions(Loader({}).table("modules"), frozenset({file}))


def test_disabled_modules_are_not_there(user_modules):
    table = user_modules({"m.py": "def f():\n    return 1\n"}, disable_modules=["m"])

    assert "m.f" not in table


def test_only_whitelisted_modules_are_offered_to_jobs(user_modules):
    files = {
        "m.py": "def f():\n    return 1\n",
        "n.py": "__virtualname__ = 'named'\ndef f():\n    return 1\n",
    }
    table = user_modules(files, whitelist_modules=["n"])

    offered = OfferedFunctions(table, frozenset({"n"}))

    assert list(offered) == ["named.f"]
    assert "m.f" in table
    with pytest.raises(NotOffered, match="'m.f' is not available.*whitelist_modules does not list m"):
        offered["m.f"]
    with pytest.raises(NoSuchFunction, match="'m.g' is not available.$"):
        offered["m.g"]


def test_only_whitelisted_state_modules_are_there(tmp_path):
    states = Loader({"cachedir": str(tmp_path), "whitelist_state_modules": ["test"]}).table("states")

    assert "test.nop" in states
    assert "cmd.run" not in states


def test_reload_reads_a_changed_file_again(tmp_path):
    directory = tmp_path / "user"
    directory.mkdir()
    loader = Loader({"cachedir": str(tmp_path / "cache"), "module_dirs": [str(directory)]})
    table = loader.table("modules")
    (directory / "m.py").write_text("def f():\n    return 'old'\n")
    loader.reload()
    before = table["m.f"]()
    (directory / "m.py").write_text("def f():\n    return 'newer'\n")

    loader.reload(["modules"])

    assert (before, table["m.f"]()) == ("old", "newer")


@pytest.mark.skipif(shutil.which("crontab") is not None, reason="crontab is there from the beginning")
def test_reload_asks_plugins_of_ours_again_whether_they_are_available(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    loader = Loader({"cachedir": str(tmp_path / "cache")})
    table = loader.table("modules")
    before = "cron.ls" in table
    (tmp_path / "crontab").write_text("#!/bin/sh\n")
    (tmp_path / "crontab").chmod(0o755)

    loader.reload(["modules"])

    assert (before, "cron.ls" in table) == (False, True)


def test_a_users_file_takes_the_place_of_ours(user_modules):
    table = user_modules({"test.py": "def ping():\n    return 'mine'\n"})

    assert table["test.ping"]() == "mine"


def test_the_index_survives_a_damaged_cache_file(user_modules, tmp_path):
    cache = tmp_path / "cache" / "loader" / "modules.json"
    cache.parent.mkdir(parents=True)
    cache.write_text('{"version": 1, "directories": [')
    table = user_modules({"m.py": "def f():\n    return 1\n"})

    assert table["m.f"]() == 1


def test_a_users_file_imports_the_one_beside_it(user_modules):
    table = user_modules(
        {
            "beside_a.py": "import beside_b\ndef f():\n    return beside_b.g()\n",
            "beside_b.py": "def g():\n    return 4\n",
        }
    )

    assert table["beside_a.f"]() == 4


def test_a_users_file_imports_synced_utils_also_when_it_runs(user_modules, tmp_path):
    synced = tmp_path / "extmods"
    (synced / "utils").mkdir(parents=True)
    (synced / "utils" / "synced_helper.py").write_text("VALUE = 5\n")
    table = user_modules(
        {"late.py": "def f():\n    import synced_helper\n    return synced_helper.VALUE\n"},
        extension_modules=str(synced),
    )

    assert table["late.f"]() == 5


def test_a_users_file_does_not_hide_a_module_of_python(user_modules):
    table = user_modules(
        {
            "colorsys.py": "def g():\n    return 4\n",
            "uses.py": "import colorsys\ndef f():\n    return colorsys.__file__\n",
        }
    )

    assert table["uses.f"]() == os.path.join(os.path.dirname(os.__file__), "colorsys.py")


def test_a_changed_neighbour_is_read_again_after_a_reload(tmp_path):
    (tmp_path / "reads.py").write_text("import read_from\ndef f():\n    return read_from.VALUE\n")
    (tmp_path / "read_from.py").write_text("VALUE = 1\n")
    loader = Loader({"cachedir": str(tmp_path / "cache"), "module_dirs": [str(tmp_path)]})
    table = loader.table("modules")
    assert table["reads.f"]() == 1

    (tmp_path / "read_from.py").write_text("VALUE = 1000\n")
    loader.reload()

    assert table["reads.f"]() == 1000


def test_utils_are_those_of_users_and_then_stocks(tmp_path, call_context):
    (tmp_path / "own.py").write_text("def f():\n    return 1\n")
    (tmp_path / "asks.py").write_text(
        "def tag(low):\n    return __utils__['state.gen_tag'](low)\n"
        "def known():\n    names = 'own.f', 'files.fopen', 'data.nosuch', 'nosuch.f'\n"
        "    return [name in __utils__ for name in names]\n"
    )
    loader = Loader(
        {"cachedir": str(tmp_path / "cache"), "module_dirs": [str(tmp_path)], "utils_dirs": [str(tmp_path)]}
    )
    call_context(tables={"utils": loader.table("utils")})
    table = loader.table("modules")

    low = {"state": "pkg", "__id__": "a", "name": "b", "fun": "installed"}
    assert table["asks.tag"](low) == "pkg_|-a_|-b_|-installed"
    assert table["asks.known"]() == [True, True, False, False]


def test_opts_of_a_users_file_have_facts_and_pillar(user_modules, call_context):
    call_context(grains={"os": "Debian"}, pillar={"a": 1}, opts={"grains": {}})
    table = user_modules(
        {
            "facts.py": "def f():\n"
            "    return [__opts__['grains']['os'], __opts__.get('pillar'), __opts__['id']]\n"
        }
    )

    assert table["facts.f"]() == ["Debian", {"a": 1}, "unit"]


@pytest.mark.parametrize(
    "text",
    [
        "import sys\nsys.exit(3)\ndef ping():\n    return 1\n",
        "import sys\ndef __virtual__():\n    sys.exit(3)\ndef ping():\n    return 1\n",
    ],
)
def test_a_file_that_exits_is_not_available_and_ends_nothing_else(user_modules, text):
    table = user_modules({"bye.py": text, "fine.py": "def ping():\n    return 2\n"})

    with pytest.raises(NoSuchFunction, match=r"bye\.py cannot be loaded: SystemExit: 3"):
        table["bye.ping"]

    assert table["fine.ping"]() == 2


def test_a_users_file_that_is_looked_up_while_no_call_runs_may_ask_its_settings(tmp_path):
    folder = tmp_path / "engines"
    folder.mkdir()
    text = "def __virtual__():\n    return __opts__['__role'] == 'master' and 'kernel' in __grains__\n"
    (folder / "ticker.py").write_text(text + "def start():\n    return 'up'\n")
    loader = Loader({"__role": "master", "engines_dirs": [str(folder)]})

    assert loader.table("engines")["ticker.start"]() == "up"
