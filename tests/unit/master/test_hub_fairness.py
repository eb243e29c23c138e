"""Fairness of long operations to other greenlets on a daemon's hub."""

import subprocess
import sys
import textwrap

import pytest

#: Turns of another greenlet that are wanted meanwhile.
ENOUGH = 5
#: A daemon's process: `slow` stands for a C library that waits for a disk or a directory far away.
PROGRAM = """
from gevent import monkey
monkey.patch_all()
import os, sys
import gevent
slow = monkey.get_original("time", "sleep")
place = sys.argv[1]
{setup}
turns = 0
def count():
    global turns
    while True:
        turns += 1
        gevent.sleep(0.001)
gevent.spawn(count)
gevent.sleep(0.01)
before = turns
{work}
print(turns - before)
"""

CASES = {
    "a key that is removed": (
        """
        from salt_g.keys.directory import Directory
        keys = Directory(place)
        keys.write("m1", "key")
        os.fsync = lambda descriptor: slow(0.1)
        """,
        'assert keys.remove("m1")',
    ),
    "groups of a user": (
        """
        import grp
        from salt_g.auth.pam import Checker
        grp.getgrall = lambda: slow(0.1) or []
        """,
        'assert Checker({}, {}).groups("root") == []',
    ),
    "the name of a user": (
        """
        import pwd
        from salt_g.auth.local_users import name_of
        root = pwd.getpwuid(0)
        pwd.getpwuid = lambda uid: slow(0.1) or root
        """,
        'assert name_of(0) == "root"',
    ),
    "the digest of a password": (
        """
        import hashlib
        from salt_g.auth.file import Checker
        with open(place, "w") as file:
            file.write("fred:" + hashlib.sha512(b"geheim").hexdigest())
        def digest(name, data):
            slow(0.1)
            return hashlib.sha512(data)
        hashlib.new = digest
        checker = Checker({}, {"^filename": place, "^hashtype": "sha512"})
        """,
        'assert checker.is_right("fred", "geheim")',
    ),
    "many tokens": (
        """
        from salt_g.auth.tokens import Tokens
        tokens = Tokens(place)
        os.fsync = lambda descriptor: None
        for number in range(2000):
            tokens.make(3600, {"name": f"fred{number}"})
        """,
        "assert tokens.clean() == 0",
    ),
    "the returns of a large job": (
        """
        from salt_g.cache.green_futures import GreenWaiting
        from salt_g.cache.jobs import Jobs
        from salt_g.cache.embedded_store import EmbeddedStore
        store = EmbeddedStore(place, waiting=GreenWaiting())
        store.start()
        jobs = Jobs(store)
        states = {str(n): {"name": str(n), "changes": {}, "comment": "as it was"} for n in range(200)}
        saving = [jobs.save_return({"jid": "1", "id": f"m{n}", "return": states}) for n in range(300)]
        assert all(saved.result(30) for saved in saving)
        """,
        'assert len(jobs.get_returns("1")) == 300',
    ),
    "many events of a minion": (
        """
        from salt_g.event.bus import Bus
        from salt_g.master.serving.minion_events import MinionEvents
        from salt_g.wire.requests import SealedRequest
        minion_events = MinionEvents(Bus())
        data = {str(n): [n] * 100 for n in range(100)}
        load = {"events": [{"tag": f"a/{n}", "data": data} for n in range(1000)]}
        """,
        'minion_events.take(SealedRequest("m1", load, "", None, "", "", 3), load)',
    ),
    "a large return with too much for one event": (
        """
        from salt_g.cache.jobs import Saved
        from salt_g.event.bus import Bus
        from salt_g.master.returns.return_intake import ReturnIntake
        from salt_g.master.settings import ReturnSettings
        from salt_g.wire.requests import SealedRequest
        class Kept:
            def save_return(self, load):
                return self
            def result(self):
                return Saved.FIRST
            def expects(self, jid, id):
                return True
        kept = Kept()
        intake = ReturnIntake(
            ReturnSettings(), jobs=kept, running=kept, unsolicited_returns=None, bus=Bus(), sessions=None
        )
        states = {str(n): {"name": f"/etc/{n}", "comment": "as it was " * 5} for n in range(20000)}
        load = {"id": "m1", "jid": "20260102030405678901", "fun": "state.apply", "return": states}
        """,
        'intake.take(SealedRequest("m1", load, "", None, "", "", 3, 2 << 20), load)',
    ),
    "why a target means minions": (
        """
        from salt_g.cache.banks import Banks
        from salt_g.cache.green_futures import GreenWaiting
        from salt_g.cache.embedded_store import EmbeddedStore
        from salt_g.master.publishing.target_resolution import TargetResolution
        from salt_g.master.settings import TargetSettings
        from salt_g.master.publishing.target_explain import TargetExplain
        from salt_g.master.serving.minion_data import MinionData
        ids = frozenset(f"m{n}" for n in range(700))
        class Keys:
            def accepted(self):
                return ids
        store = EmbeddedStore(place, waiting=GreenWaiting())
        store.start()
        banks = Banks(store)
        data = MinionData(banks)
        for id in ids:
            data.put(id, {"os": "Debian"}, {"role": "web"})
        expected = TargetResolution(TargetSettings({}), Keys(), data)
        why = TargetExplain(expected, banks, nodegroups={})
        """,
        'assert len(why.explain("G@os:Debian and I@role:web", "compound")) == 700',
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_others_have_their_turn(tmp_path, case):
    setup, work = map(textwrap.dedent, CASES[case])
    program = PROGRAM.format(setup=setup, work=work)

    words = [sys.executable, "-c", program, str(tmp_path / "place")]
    done = subprocess.run(words, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= ENOUGH
