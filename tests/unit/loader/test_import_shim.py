"""Imports of stock's package by users' plugins, as far as known plugins use them."""

import importlib
import sys
import types

import pytest

from salt_g import api
from salt_g.errors import CommandExecutionError
from salt_g.loader import Loader, import_shim


@pytest.fixture
def load_user_file(tmp_path):
    """Yield a function that writes a user's execution module and returns its functions.

    Stock's module names are removed at the end.
    """
    before = set(sys.modules)
    finders = list(sys.meta_path)

    def load(text):
        directory = tmp_path / "user"
        directory.mkdir()
        (directory / "mine.py").write_text(text)
        return Loader({"module_dirs": [str(directory)]}).table("modules")

    yield load
    sys.meta_path[:] = finders
    for name in set(sys.modules) - before:
        if name == "salt" or name.startswith("salt."):
            del sys.modules[name]


def test_errors_raised_by_a_users_plugin_are_caught_as_our_own(load_user_file):
    table = load_user_file(
        "from salt.exceptions import CommandExecutionError\n"
        "def fail():\n"
        "    raise CommandExecutionError('no')\n"
    )

    with pytest.raises(CommandExecutionError, match="no"):
        table["mine.fail"]()


def test_dotted_imports_find_the_same_modules(load_user_file, tmp_path):
    table = load_user_file(
        "import salt.utils.files\n"
        "import salt.utils.yaml\n"
        "from salt.utils.odict import OrderedDict\n"
        "def read(path):\n"
        "    with salt.utils.files.fopen(path) as file:\n"
        "        return OrderedDict(salt.utils.yaml.safe_load(file))\n"
    )
    (tmp_path / "data.yaml").write_text("a: 0644\n")

    assert table["mine.read"](str(tmp_path / "data.yaml")) == {"a": 644}


def test_a_name_that_is_not_offered_is_an_ordinary_import_error(load_user_file, caplog):
    table = load_user_file("import salt.nosuch.one\ndef f():\n    return 1\n")

    assert "mine.f" not in table
    assert "No module named 'salt.nosuch'" in caplog.text


def test_the_parts_of_a_divided_package_have_no_name_of_stock(load_user_file):
    table = load_user_file("import salt.utils.values.data\ndef f():\n    return 1\n")

    assert "mine.f" not in table


def test_a_module_that_others_import_in_stock_needs_no_import_of_its_own(load_user_file):
    table = load_user_file(
        "import salt.utils.path\n"
        "def linux():\n"
        "    return salt.utils.platform.is_linux(), hasattr(salt.utils, 'nosuch')\n"
    )

    assert table["mine.linux"]() == (True, False)


IMPORTS = """
import salt
import salt.cache
import salt.client
import salt.config
import salt.crypt
import salt.ext.six
import salt.grains.core
import salt.loader
import salt.returners
import salt.runner
import salt.syspaths
import salt.template
import salt.utils
import salt.utils.args
import salt.utils.cloud
import salt.utils.data
import salt.utils.event
import salt.utils.files
import salt.utils.jid
import salt.utils.platform
import salt.utils.templates
import salt.utils.yaml
import salt.defaults
import salt.defaults.exitcodes
import salt.fileclient
import salt.fileserver
import salt.loader.dunder
import salt.log
import salt.minion
import salt.modules.cmdmod
import salt.output
import salt.payload
import salt.pillar.sql_base
import salt.serializers.json
import salt.serializers.yaml
import salt.state
import salt.utils.atomicfile
import salt.utils.beacons
import salt.utils.context
import salt.utils.dateutils
import salt.utils.decorators
import salt.utils.decorators.path
import salt.utils.dictdiffer
import salt.utils.dictupdate
import salt.utils.dns
import salt.utils.fsutils
import salt.utils.functools
import salt.utils.gzip_util
import salt.utils.http
import salt.utils.immutabletypes
import salt.utils.itertools
import salt.utils.job
import salt.utils.json
import salt.utils.locales
import salt.utils.minions
import salt.utils.msgpack
import salt.utils.network
import salt.utils.oset
import salt.utils.resources
import salt.utils.s3
import salt.utils.sdb
import salt.utils.state
import salt.utils.stringutils
import salt.utils.thin
import salt.utils.timeutil
import salt.utils.user
import salt.utils.validate
import salt.utils.validate.net
import salt.utils.versions
import salt.utils.vt
import salt.utils.x509
import salt.utils.zeromq
import salt.wheel
import salt.wheel.key
from salt._compat import ipaddress
from salt.exceptions import CheckError, CommandExecutionError, CommandNotFoundError
from salt.exceptions import InvalidConfigError, SaltException, SaltInvocationError, SaltRenderError
from salt.exceptions import get_error_message as _get_error_message
from salt.ext import six
from salt.ext.six import iteritems
from salt.ext.six.moves import StringIO as _StringIO
from salt.ext.six.moves import range
from salt.ext.six.moves.urllib.parse import urlparse
from salt.modules.file import file_exists, seek_read
from salt.pillar import get_pillar
from salt.utils import yaml
from salt.utils.event import tagify
from salt.utils.hashutils import get_hash
from salt.utils.odict import OrderedDict
from salt.utils.path import which
"""


@pytest.mark.parametrize("line", IMPORTS.strip().splitlines())
def test_imports_of_public_plugins_are_available(line, load_user_file):
    table = load_user_file(f"{line}\ndef ok():\n    return True\n")

    assert table["mine.ok"]() is True


def test_a_plugin_of_ours_is_imported_by_stocks_name(load_user_file, tmp_path, call_context):
    (tmp_path / "there").write_text("")
    table = load_user_file(
        "from salt.modules.file import file_exists\ndef look(path):\n    return file_exists(path)\n"
    )

    call_context()

    assert table["mine.look"](str(tmp_path / "there"))


def test_a_written_call_is_taken_apart(load_user_file):
    table = load_user_file(
        "import salt.utils.args\ndef parse(text):\n    return salt.utils.args.parse_function(text)\n"
    )

    parse = table["mine.parse"]

    assert parse("amod.afunc(1, b='two', c=word)") == ("amod.afunc", ["1"], {"b": "two", "c": "word"})
    assert parse("no call") == (None, None, None)


def test_a_cache_gives_back_what_was_kept(load_user_file, tmp_path):
    table = load_user_file(
        "import salt.cache\n"
        "def both(directory):\n"
        "    cache = salt.cache.factory({'cachedir': directory})\n"
        "    cache.store('a/b', 'k', {'n': 1})\n"
        "    return cache.fetch('a/b', 'k'), cache.list('a/b'), cache.fetch('a/b', 'other')\n"
    )

    assert table["mine.both"](str(tmp_path / "cache")) == ({"n": 1}, ["k"], {})


def test_signatures_hold_for_the_key_that_made_them(load_user_file, tmp_path):
    table = load_user_file(
        "import salt.crypt\n"
        "def check(directory):\n"
        "    path = salt.crypt.gen_keys(directory, 'm1', 2048)\n"
        "    signature = salt.crypt.sign_message(path, b'text')\n"
        "    public = path[:-3] + 'pub'\n"
        "    verify = salt.crypt.verify_signature\n"
        "    return verify(public, b'text', signature), verify(public, b'other', signature)\n"
    )

    assert table["mine.check"](str(tmp_path / "keys")) == (True, False)


def test_names_of_the_call_follow_it(load_user_file, call_context):
    table = load_user_file("def names():\n    return str(__jid__), str(__sls__), str(__env__)\n")

    with api.use(call_context().replace(job={"jid": "2026"}, low={"__sls__": "web.site"}, saltenv="dev")):
        assert table["mine.names"]() == ("2026", "web.site", "dev")


def test_a_package_of_pythons_own_hands_over(load_user_file, monkeypatch):
    package = types.ModuleType("salt")
    package.__path__ = []
    monkeypatch.setitem(sys.modules, "salt", package)

    import_shim.take_over(package)

    assert importlib.import_module("salt.exceptions").CommandExecutionError is CommandExecutionError
    assert package.config.DEFAULT_HASH_TYPE == "sha256"
