"""High data of the last run, on disk."""

import os

import msgpack
import pytest

from salt_g.shapes.high_data import HighData
from salt_g.state.highcache import HighCache

HIGH = HighData.of(
    {
        "a": {"test": ["nop", {"x": 1}], "__sls__": "web"},
        "__exclude__": [{"id": "b"}],
        5: {"test": ["nop"]},
        "__extend__": [{"a": {"test": [{"x": 2}]}}],
    }
)


@pytest.fixture
def cache(tmp_path):
    return HighCache(str(tmp_path / "cache"))


def test_written_data_is_read(cache):
    cache.write("highstate", HIGH)

    assert cache.read("highstate") == HIGH
    assert cache.read("other") is None


def test_the_file_has_the_mapping_that_users_see(cache, tmp_path):
    cache.write("a", HIGH)

    packed = (tmp_path / "cache" / "a.cache.p").read_bytes()
    assert list(msgpack.unpackb(packed, strict_map_key=False)) == ["a", "__exclude__", 5, "__extend__"]


def test_values_that_cannot_be_packed_become_text(cache, tmp_path):
    cache.write("a", HighData({"path": tmp_path}))

    assert cache.read("a") == HighData({"path": str(tmp_path)})


@pytest.mark.parametrize("content", [b"", b"\x82\xa1a", b"\xc1", b"\x80\x80", b"\x91\xa1a"])
def test_a_damaged_file_counts_as_none(cache, tmp_path, content):
    cache.write("a", HIGH)
    (tmp_path / "cache" / "a.cache.p").write_bytes(content)

    assert cache.read("a") is None


def test_only_its_owner_reads_it_and_a_name_stays_in_the_folder(cache, tmp_path):
    cache.write("../../x", HIGH)

    path = tmp_path / "cache" / "x.cache.p"
    assert os.stat(path).st_mode & 0o077 == 0
    assert cache.read("x") == HIGH


def test_the_same_data_leaves_the_file_alone(cache, tmp_path):
    cache.write("a", HIGH)
    before = os.stat(tmp_path / "cache" / "a.cache.p").st_ino
    cache.write("a", HIGH)
    kept = os.stat(tmp_path / "cache" / "a.cache.p").st_ino
    cache.write("a", HighData({"b": {"test": ["nop"]}}))

    assert kept == before
    assert cache.read("a") == HighData({"b": {"test": ["nop"]}})


def test_a_folder_that_cannot_be_made_fails_nothing(tmp_path, caplog):
    (tmp_path / "file").write_text("")

    HighCache(str(tmp_path / "file" / "cache")).write("a", HIGH)

    assert "cannot cache high data" in caplog.text


def test_clearing_takes_the_caches_only(cache, tmp_path):
    assert cache.clear() == []
    cache.write("b", HIGH)
    cache.write("a", HIGH)
    (tmp_path / "cache" / "other.p").write_text("")

    assert cache.clear() == ["a.cache.p", "b.cache.p"]
    assert os.listdir(tmp_path / "cache") == ["other.p"]
