"""Raw ZMTP at both ports of a real master: valid, invalid, partial and reset; the master survives."""

import contextlib
import pathlib
import random
import shutil
import tempfile

import pytest
from hypothesis import strategies as st

from salt_g.errors import WireError
from salt_g.wire.zmtp import ServerSession
from tests.support.daemons import RunningMaster
from tests.support.fuzzing import fuzz
from tests.support.peers import ask_clear
from tests.support.raw_zmtp import GREETING, close_all, nasty_bytes, ready, storm_once

#: What hostile peers do between two questions of an honest one.
STEPS = 40


@pytest.fixture(scope="module")
def master():
    root = pathlib.Path(tempfile.mkdtemp(prefix="sg-"))
    running = RunningMaster(root / "m")
    try:
        yield running.start()
        running.stop()
    finally:
        running.kill()
        shutil.rmtree(root, ignore_errors=True)


@fuzz(st.integers(0, 2**64))
def test_a_master_survives_every_connection(master, seed):
    draw, kept = random.Random(seed), []
    for _ in range(STEPS):
        storm_once(draw, (master.ret_port, master.publish_port), kept)
    close_all()

    assert master.is_running()
    assert ask_clear(master, {"cmd": "ping"}) is not None


@fuzz(st.integers(0, 2**64), st.booleans())
def test_a_session_reads_within_its_bounds(seed, is_greeted):
    draw = random.Random(seed)
    session = ServerSession("ROUTER", ("REQ", "DEALER"), max_message=5000, max_frames=16)
    if is_greeted:
        session.feed(GREETING + ready(b"REQ"))
    with contextlib.suppress(WireError):
        for _ in range(20):
            session.feed(nasty_bytes(draw))
            while (frames := session.next_message()) is not None:
                assert len(frames) <= 16 and sum(map(len, frames)) <= 5000
            assert session.held < 20_000
