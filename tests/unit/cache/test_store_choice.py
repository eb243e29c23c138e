"""Choice of the store's database by the setting `store`."""

import os
import subprocess
import sys

import pytest

from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.cache.store_choice import open_store, store_at, was_written
from salt_g.errors import ConfigError


def test_without_the_setting_it_is_a_file_in_the_cache(tmp_path):
    store = open_store({"cachedir": str(tmp_path)})

    assert isinstance(store, EmbeddedStore)
    assert store.path == str(tmp_path / "store.sqlite")


def test_a_server_is_named_without_its_password(tmp_path):
    pytest.importorskip("psycopg")

    store = open_store({"cachedir": str(tmp_path), "store": "postgresql://salt:secret@db1/salt"})

    assert store.path == "postgresql://salt@db1/salt"


def test_a_profile_of_sdb_of_that_name_is_not_a_server(tmp_path):
    store = open_store({"cachedir": str(tmp_path), "store": {"driver": "env"}})

    assert isinstance(store, EmbeddedStore)


@pytest.mark.parametrize("url", ["redis://db1/0", "db1", "http://[::1", "sqlite:///x"])
def test_other_values_are_refused_with_what_to_write(url):
    with pytest.raises(ConfigError, match="is not a URL of a PostgreSQL server; write postgresql://USER@"):
        store_at(url)


def test_a_missing_library_is_named_with_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    for name in [name for name in sys.modules if name.startswith("salt_g.cache.postgres.")]:
        monkeypatch.delitem(sys.modules, name)

    with pytest.raises(ConfigError, match=r"pip install 'salt-g\[postgres\]'"):
        store_at("postgresql://salt@db1/salt")


def test_a_file_is_there_once_it_was_written_and_a_server_always(tmp_path):
    opts = {"cachedir": str(tmp_path)}
    assert not was_written(opts)
    with open_store(opts):
        assert was_written(opts)
    assert was_written({"cachedir": "/nowhere", "store": "postgresql://salt@db1/salt"})


@pytest.mark.skipif(os.getuid() != 0, reason="needs another user")
def test_a_file_where_this_user_must_not_look_may_be_there(tmp_path):
    (tmp_path / "closed").mkdir(mode=0o700)
    code = (
        "import os, sys; from salt_g.cache.store_choice import was_written; os.setuid(65534);"
        " print(was_written({'cachedir': sys.argv[1]}))"
    )

    printed = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "closed")], capture_output=True, text=True, check=True
    )

    assert printed.stdout == "True\n"
