"""Stock's job cache on the copies that we leave for it."""

import json
import subprocess

from salt_g.cache.stock_files import StockJobFiles

JID = "20260102030405678901"
LOAD = {"jid": JID, "fun": "test.ping", "arg": [], "tgt": "*", "tgt_type": "glob", "user": "root", "ret": ""}
PROGRAM = """
import json, sys
import salt.returners.local_cache as cache
cache.__opts__ = {"cachedir": sys.argv[1], "hash_type": "sha256"}
print(json.dumps([cache.get_load(sys.argv[2]), cache.get_jids()]))
"""


def test_stock_finds_the_load_of_a_job(tmp_path, stock_bin):
    StockJobFiles(str(tmp_path)).write(JID, LOAD, ["m2", "m1"])

    done = subprocess.run(
        [stock_bin / "python", "-W", "ignore", "-c", PROGRAM, str(tmp_path), JID],
        capture_output=True,
        text=True,
        timeout=120,
    )
    load, jids = json.loads(done.stdout)

    assert load == {**LOAD, "Minions": ["m1", "m2"]}
    assert list(jids) == [JID]
