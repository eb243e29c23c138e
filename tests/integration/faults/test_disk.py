"""A full, read-only or damaged disk: what can be served is served, and the problem is logged once."""

import pathlib

import pytest

from salt_g.errors import ClientError
from tests.support.waiting import until

DAMAGE = b"not a database any more" * 1000


@pytest.fixture
def serving(small_disk, make_master, make_minion):
    """Return a function that starts a master and its minion, one with a small disk for its `cachedir`."""

    def start(whose):
        master = make_master()
        if whose == "master":
            disk = small_disk(master.cachedir)
        master.start()
        minion = make_minion(master=f"127.0.0.1:{master.ret_port}")
        if whose == "minion":
            disk = small_disk(minion.cachedir)
        return master, minion.start(), disk

    return start


def test_a_master_with_a_full_disk_refuses_what_it_cannot_keep_and_serves_the_rest(serving, client, run):
    master, minion, disk = serving("master")
    local = client(master)
    begun = local.cmd_async("m1", "test.sleep", [2])
    until(lambda: f"{begun}: test.sleep started" in minion.log(), "the job began")

    disk.fill()
    # What is returned now has no place: it stays with the minion and is sent again.
    until(lambda: "will be resent" in minion.log(), "the return was not acknowledged")
    assert returns_on_disk(minion)
    with pytest.raises(ClientError, match="The job was not published: .*cannot be written.*check disk space"):
        local.cmd_async("m1", "test.ping")
    assert run(master, "jobs.lookup_jid", begun) == {}
    # A minion signs in and gets its pillar, and is there.
    minion.stop()
    minion.start()
    assert minion.is_connected
    assert run(master, "manage.present") == ["m1"]
    disk.empty()

    until(lambda: run(master, "jobs.lookup_jid", begun) == {"m1": True}, "the return came")
    assert local.cmd("m1", "test.echo", ["after"], timeout=30) == {"m1": "after"}
    until(lambda: not returns_on_disk(minion), "the spool is empty")
    assert master.log().count("writes fail until this is resolved") == 1
    assert master.log().count("can be written again") == 1


def test_a_master_that_starts_on_a_read_only_disk_serves_and_takes_jobs_when_that_ends(serving, client, run):
    master, _minion, disk = serving("master")
    jid = client(master).cmd_async("m1", "test.echo", ["before"])
    until(lambda: run(master, "jobs.lookup_jid", jid), "the return came")

    master.stop()
    disk.make_read_only()
    master.start()
    until(lambda: has_subscriber(master), "the minion is there again")
    assert run(master, "jobs.lookup_jid", jid) == {"m1": "before"}
    with pytest.raises(ClientError, match="The job was not published: .*cannot be written"):
        client(master).cmd_async("m1", "test.ping")
    disk.make_writable()

    assert client(master).cmd("m1", "test.echo", ["after"], timeout=30) == {"m1": "after"}
    assert master.log().count("writes fail until this is resolved") == 1
    assert master.log().count("can be written again") == 1


@pytest.mark.parametrize("trouble", ["full", "read-only"])
def test_a_minion_whose_disk_takes_nothing(serving, client, trouble):
    master, minion, disk = serving("minion")
    local = client(master)

    {"full": disk.fill, "read-only": disk.make_read_only}[trouble]()
    for number in range(5):
        assert local.cmd("m1", "test.echo", [number], timeout=30) == {"m1": number}
    minion.kill()
    minion.start()
    assert local.cmd("m1", "test.echo", ["again"], timeout=30) == {"m1": "again"}
    {"full": disk.empty, "read-only": disk.make_writable}[trouble]()

    assert local.cmd("m1", "test.echo", ["after"], timeout=30) == {"m1": "after"}
    assert local.cmd("m1", "saltutil.running", timeout=30) == {"m1": []}
    assert minion.log().count("cannot save returns to disk") == 2
    assert minion.log().count("returns are saved to disk again") == 1


def test_a_damaged_store_is_set_aside_and_the_master_goes_on(start_master, start_minion, client, run):
    master = start_master()
    minion = start_minion(master)
    before = client(master).cmd_async("m1", "test.ping")
    until(lambda: run(master, "jobs.lookup_jid", before), "the return came")

    master.stop()
    for path in master.cachedir.glob("store.sqlite*"):
        path.write_bytes(DAMAGE)
    master.start()
    local = client(master)
    # The minion that was connected before was in the store, so no job waits for it.
    until(lambda: has_subscriber(master), "the minion is there again")

    after = local.cmd_async("m1", "test.echo", ["after"])
    until(lambda: run(master, "jobs.lookup_jid", after) == {"m1": "after"}, "the return came")
    (aside,) = [path for path in master.cachedir.glob("store.sqlite.damaged-*") if "-wal" not in path.name]
    assert aside.read_bytes() == DAMAGE
    assert (
        f"is damaged (file is not a database): it was moved to {aside}, and a new one is created"
        in master.log()
    )
    assert run(master, "jobs.lookup_jid", before, code=1) == {}
    assert minion.is_running()


def test_a_store_that_is_damaged_while_it_is_used_is_set_aside(start_master, start_minion, client, run):
    master = start_master()
    start_minion(master)
    local = client(master)
    local.cmd("m1", "test.ping", timeout=30)

    for path in master.cachedir.glob("store.sqlite*"):
        with open(path, "r+b") as file:
            file.write(b"\xff" * path.stat().st_size)
    until(lambda: answers(local), "jobs are taken again")

    assert list(master.cachedir.glob("store.sqlite.damaged-*"))
    after = local.cmd_async("m1", "test.echo", ["after"])
    until(lambda: run(master, "jobs.lookup_jid", after) == {"m1": "after"}, "the return came")


def test_a_damaged_entry_of_the_spool_is_set_aside_and_the_others_are_sent(
    start_master, start_minion, client, run
):
    master = start_master()
    minion = start_minion(master)
    jid = client(master).cmd_async("m1", "test.sleep", [1])
    until(lambda: f"{jid}: test.sleep started" in minion.log(), "the job began")
    master.kill()
    until(lambda: returns_on_disk(minion), "the return is on disk")
    minion.kill()

    spool = minion.cachedir / "returns"
    (spool / "20200101000000000000.0000").write_bytes(b"\xc1 nonsense")
    (spool / "20200101000000000001.0000").write_bytes(b"")
    (spool / ".salt-g-unfinished").write_bytes(b"half")
    master.start()
    minion.start()

    until(lambda: run(master, "jobs.lookup_jid", jid) == {"m1": True}, "the return came")
    until(lambda: not returns_on_disk(minion), "the spool is empty")
    assert sorted(path.name for path in spool.iterdir()) == [
        "20200101000000000000.0000.damaged",
        "20200101000000000001.0000.damaged",
    ]
    assert minion.log().count("cannot read a return; it is set aside") == 2


def returns_on_disk(minion):
    """Return the spooled returns on the minion's disk."""
    spool = minion.cachedir / "returns"
    return [path for path in spool.iterdir() if path.name.startswith("2") and path.suffix != ".damaged"]


def has_subscriber(master):
    """Return whether the publish port has an open connection."""
    rows = [line.split() for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return any(row[1].endswith(f":{master.publish_port:04X}") and row[3] == "01" for row in rows)


def answers(local):
    """Return whether a job was accepted and answered."""
    try:
        return local.cmd("m1", "test.ping", timeout=30) == {"m1": True}
    except ClientError:
        return False
