"""Jobs of a cluster while its publish key is replaced repeatedly: each runs exactly once."""

import collections
import contextlib
import threading

import psycopg

from salt_g.client import LocalClient, WheelClient
from salt_g.config import load
from salt_g.errors import SaltGError
from tests.support import key_pairs
from tests.support.waiting import until

#: Decisions during which jobs are given: each second one makes another publish key.
DECISIONS = 30


def test_no_job_is_lost_while_keys_change(start_masters, start_minion, reach, postgres_url, tmp_path):
    a, b = start_masters("a", "b")
    moving = {"master_type": "failover", "master_alive_interval": 1, "random_reauth_delay": 2}
    start_minion([a, b], "m1", **moving)
    start_minion([b, a], "m2", **moving)
    reach([a, b], "m1", "m2")
    key_pairs.place(tmp_path / "held", "minion")
    with psycopg.connect(postgres_url) as server:
        pem = (tmp_path / "held" / "minion.pub").read_text()
        server.execute("INSERT INTO salt_g.keys VALUES ('held', 'minions_pre', %s, 1, 0)", [pem])
    before = generation(postgres_url)

    with jobs_until(tmp_path, (a, "m2"), (b, "m1"), (a, "m1")) as taken:
        decide(a, "held", DECISIONS)

    assert generation(postgres_url) > before + DECISIONS // 3
    assert min(map(len, taken.values())) > 0
    for path, numbers in taken.items():
        until(lambda path=path, numbers=numbers: set(numbers) <= set(ran(path)), f"the jobs of {path.name}")
        assert [one for one, times in collections.Counter(ran(path)).items() if times > 1] == []


def test_a_command_that_revokes_a_hundred_keys_makes_two_publish_keys(
    start_masters, start_minion, reach, salt, postgres_url, tmp_path
):
    a, b = start_masters("a", "b")
    start_minion(a, "m1")
    start_minion(b, "m2")
    reach([a, b], "m1", "m2")
    key_pairs.place(tmp_path / "gone", "minion")
    pem, gone = (tmp_path / "gone" / "minion.pub").read_text(), [f"gone{n}" for n in range(100)]
    with psycopg.connect(postgres_url) as server:
        rows = [(id, pem) for id in gone]
        server.cursor().executemany("INSERT INTO salt_g.keys VALUES (%s, 'minions', %s, 1, 0)", rows)
    before = generation(postgres_url)

    with WheelClient(load("master", str(a.config_dir)).opts) as wheel:
        wheel.cmd("key.delete_dict", [{"minions": gone}])

    assert generation(postgres_url) == before + 2
    assert salt(b, "*", "test.ping").minions == {"m1": True, "m2": True}
    assert salt(a, "*", "test.ping").minions == {"m1": True, "m2": True}


def generation(url):
    with psycopg.connect(url) as server:
        return server.execute("SELECT generation FROM salt_g.counter").fetchone()[0]


def ran(path):
    return path.read_text().split() if path.exists() else []


def decide(master, id, times):
    """Accept a key and reject it again."""
    with WheelClient(load("master", str(master.config_dir)).opts) as wheel:
        for turn in range(times):
            if turn % 2:
                wheel.cmd("key.reject_dict", [{"minions": [id]}], kwarg={"include_accepted": True})
            else:
                wheel.cmd("key.accept", [id], kwarg={"include_rejected": True})


@contextlib.contextmanager
def jobs_until(root, *pairs):
    """Publish jobs at masters for minions until the end; yield {file that a job writes to: [number]}."""
    ended = threading.Event()
    taken = {root / f"ran-{master.settings['id']}-{id}": [] for master, id in pairs}
    givers = [
        threading.Thread(target=give, args=(master, id, path, numbers, ended))
        for (master, id), (path, numbers) in zip(pairs, taken.items(), strict=True)
    ]
    for giver in givers:
        giver.start()
    try:
        yield taken
    finally:
        ended.set()
        for giver in givers:
            giver.join()


def give(master, id, path, numbers, ended):
    with LocalClient(c_path=str(master.config_dir / "master")) as local:
        number = 0
        while not ended.wait(0.1):
            number += 1
            with contextlib.suppress(SaltGError):
                if local.cmd_async(id, "cmd.run", [f"echo {number} >> {path}"]):
                    numbers.append(str(number))
