"""Durability of acknowledged writes when the process is killed at any point."""

import contextlib
import os
import random
import signal
import sqlite3
import subprocess
import sys

import pytest

from salt_g.cache.banks import Banks
from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.cache.jobs import Jobs, Saved

#: Writes from eight threads, for ever; says on its output what was acknowledged.
WRITER = """
import os, sys, threading
from salt_g.cache.banks import Banks
from salt_g.cache.jobs import Jobs
from salt_g.cache.embedded_store import EmbeddedStore

store = EmbeddedStore(sys.argv[1])
store.start()
jobs, banks = Jobs(store), Banks(store)

def work(worker):
    number = 0
    while True:
        number += 1
        id = f"{sys.argv[2]}-{worker}-{number}"
        jobs.save_return({"jid": "20260102030405678901", "id": id, "return": "x" * (number % 3000)}).result()
        banks.store("grains", id, number).result()
        os.write(1, f"{id}\\n".encode())

for worker in range(8):
    threading.Thread(target=work, args=(worker,)).start()
"""


def _write_until_killed(directory, round, acknowledged):
    """Kill the writer after this many acknowledged writes; return the ids that it acknowledged."""
    child = subprocess.Popen([sys.executable, "-c", WRITER, directory, str(round)], stdout=subprocess.PIPE)
    ids = [child.stdout.readline() for _ in range(acknowledged)]
    os.kill(child.pid, signal.SIGKILL)
    rest, _ = child.communicate(timeout=20)
    # What was in the pipe was acknowledged as well; lines are written in one piece.
    return [line.decode().strip() for line in [*ids, *rest.splitlines()]]


@pytest.mark.parametrize("seed", range(6))
def test_acknowledged_writes_survive_a_kill(tmp_path, seed):
    moments = random.Random(seed)
    acknowledged = []

    for round in range(3):
        acknowledged += _write_until_killed(str(tmp_path), round, moments.randrange(1, 400))

    with EmbeddedStore(str(tmp_path)) as store:
        returned = Jobs(store).get_jid("20260102030405678901")
        kept = Banks(store).list_all("grains")
        doubled = [
            Jobs(store).save_return({"jid": "20260102030405678901", "id": id, "return": "again"}).result(10)
            for id in acknowledged[:20]
        ]
        held = Jobs(store).held_bytes()
        with contextlib.closing(sqlite3.connect(store.path)) as connection:
            (counted,) = connection.execute("SELECT sum(length(data) + 100) FROM returns").fetchone()

    assert acknowledged
    assert set(acknowledged) <= set(returned)
    assert set(acknowledged) <= set(kept)
    assert Saved.FIRST not in doubled
    assert held == counted
