"""Limits of a database user that is not a master of the cluster."""

import psycopg

from salt_g.data import jid as jids
from salt_g.wire.packing import pack_bus


def test_a_writer_to_the_database_cannot_publish_a_job(
    start_masters, start_minion, salt, reach, postgres_url, tmp_path
):
    [master] = start_masters("a")
    start_minion(master, "m1")
    reach([master], "m1")
    job = {"tgt": "*", "tgt_type": "glob", "fun": "file.touch", "arg": [str(tmp_path / "made")], "ret": ""}
    job |= {"jid": jids.make(), "user": "root"}

    with psycopg.connect(postgres_url) as server:
        place = server.execute(
            "UPDATE salt_g.counter SET serial = serial + 1 RETURNING serial, generation"
        ).fetchone()
        server.execute(
            "INSERT INTO salt_g.publications (serial, generation, job, ids, by_topic)"
            " VALUES (%s, %s, %s, %s, false)",
            (*place, pack_bus(job), pack_bus(["m1"])),
        )

    # Behind the other one, at the master and at the minion.
    assert salt(master, "m1", "file.file_exists", str(tmp_path / "made")).minions == {"m1": False}
    assert "was not made by a master of this cluster" in master.log()
