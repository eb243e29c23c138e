"""Returns spooled on disk until a master acknowledges them, also those of other versions."""

import pathlib
import shutil

from salt_g.minion.jobs.spool import VERSION, Spool, SpooledReturn
from salt_g.wire.packing import pack_bus, unpack

#: Recorded by a minion from before files had a version.
RECORDED = pathlib.Path(__file__).parents[2] / "cache" / "recorded" / "spool-0"


def test_returns_of_the_first_minions_are_sent_oldest_first(tmp_path):
    shutil.copytree(RECORDED, tmp_path / "returns")
    spool = Spool(str(tmp_path))

    names = spool.open()

    assert [spool.get(name).load["jid"] for name in names] == ["20261120040000000001", "20261120040000000002"]
    assert spool.get(names[0]) == SpooledReturn(
        "master.example:4506",
        {
            "jid": "20261120040000000001",
            "id": "web1",
            "fun": "state.apply",
            "fun_args": ["x"],
            "return": {"ü": [True, None, 1.5, b"\xff"]},
            "retcode": 0,
            "success": True,
        },
    )


def test_a_file_says_its_version_and_is_read_by_the_first_minions(tmp_path):
    spool = Spool(str(tmp_path))

    name = spool.put("m", {"jid": "1", "return": True})

    # They look for these two and at nothing else.
    written = unpack((tmp_path / "returns" / name).read_bytes())
    assert written == {"version": VERSION, "master": "m", "load": {"jid": "1", "return": True}}


def test_a_return_of_a_newer_minion_stays_where_it_is(tmp_path, caplog):
    (tmp_path / "returns").mkdir()
    path = tmp_path / "returns" / "1.0000"
    path.write_bytes(pack_bus({"version": VERSION + 1, "master": "m", "load": {"jid": "1"}}))
    spool = Spool(str(tmp_path))

    assert [spool.get(name) for name in spool.open()] == [None]
    assert path.exists()
    assert f"has version {VERSION + 1} and was written by a newer salt-g" in caplog.text


def test_the_jids_on_disk_are_known_after_a_restart(tmp_path):
    jid = "20260102030405000000"
    Spool(str(tmp_path)).put("m", {"jid": jid, "fun": "test.ping", "return": True})

    spool = Spool(str(tmp_path))
    name = spool.open()[0]
    assert spool.jids() == {jid}
    spool.remove(name)
    assert spool.jids() == set()
