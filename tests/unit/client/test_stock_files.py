"""Files of a stock master: target resolution, and the content of its job cache."""

import hashlib
import pathlib

import pytest

from salt_g.client.stock_files import job_load, job_returns, matching_minions
from salt_g.wire.packing import pack

JID = "20260102030405678901"


@pytest.fixture
def opts(tmp_path):
    return {"pki_dir": str(tmp_path / "pki"), "cachedir": str(tmp_path / "cache")}


def write(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def job_directory(opts, jid=JID, hash_type="sha256"):
    digest = hashlib.new(hash_type, jid.encode()).hexdigest()
    return pathlib.Path(opts["cachedir"]) / "jobs" / digest[:2] / digest[2:]


def accept(opts, id, **data):
    write(pathlib.Path(opts["pki_dir"]) / "minions" / id, b"key")
    for kind, value in data.items():
        write(pathlib.Path(opts["cachedir"]) / kind / f"{id}.p", pack(value))


def test_accepted_minions_are_meant_by_their_cached_data_and_unknown_ones_too(opts):
    accept(opts, "web1", grains={"os": "Debian"})
    accept(opts, "web2", grains={"os": "Alma"})
    accept(opts, "new")
    accept(opts, ".key_cache")

    assert matching_minions(opts, "*", "glob") == ["new", "web1", "web2"]
    assert matching_minions(opts, "web*", "glob") == ["web1", "web2"]
    assert matching_minions(opts, "os:Debian", "grain") == ["new", "web1"]
    assert matching_minions(opts, "os|Debian", "grain", delimiter="|") == ["new", "web1"]


def test_without_any_keys_no_minion_is_selected(opts):
    assert matching_minions(opts, "*", "glob") == []


def test_damaged_data_counts_as_unknown(opts):
    accept(opts, "web1", grains={"os": "Debian"})
    write(pathlib.Path(opts["cachedir"]) / "grains" / "web1.p", b"\xc1broken")

    assert matching_minions(opts, "os:Alma", "grain") == ["web1"]


def test_returns_have_the_value_and_the_outputter(opts):
    directory = job_directory(opts)
    write(directory / ".load.p", pack({"fun": "test.ping"}))
    write(directory / "a" / "return.p", pack({"return": True, "retcode": 0, "success": True}))
    write(directory / "b" / "return.p", pack({"return": {"x": 1}}))
    write(directory / "b" / "out.p", pack("highstate"))
    (directory / "silent").mkdir()

    assert job_load(opts, JID) == {"fun": "test.ping"}
    assert job_returns(opts, JID) == {
        "a": {"return": True, "retcode": 0, "success": True},
        "b": {"return": {"x": 1}, "out": "highstate"},
    }


@pytest.mark.parametrize("value", [{"x": 1}, {}, True, "text", [1, 2]])
def test_a_bare_value_of_an_older_release_is_a_return(opts, value):
    write(job_directory(opts) / "old" / "return.p", pack(value))

    assert job_returns(opts, JID) == {"old": {"return": value}}


def test_the_directory_of_a_job_follows_the_hash_type(opts):
    write(job_directory(opts, hash_type="md5") / ".load.p", pack({"fun": "f"}))

    assert job_load({**opts, "hash_type": "md5"}, JID) == {"fun": "f"}
    assert job_load(opts, JID) == {}


def test_an_unknown_job_and_a_damaged_load_are_empty(opts):
    assert (job_load(opts, JID), job_returns(opts, JID)) == ({}, {})
    write(job_directory(opts) / ".load.p", pack(["no", "map"]))
    assert job_load(opts, JID) == {}
