"""A real master for peers that lie to it."""

import pathlib
import shutil
import tempfile

import pytest


@pytest.fixture
def start_master():
    """Factory: `start_master(**settings)` is a running master; it must end in order."""
    from daemons import RunningMaster

    root = pathlib.Path(tempfile.mkdtemp(prefix="sg-"))
    # Other users of this machine have to reach the sockets of a master that lets them in.
    root.chmod(0o755)
    masters = []

    def start(**settings):
        masters.append(RunningMaster(root / f"m{len(masters)}", **settings))
        return masters[-1].start()

    yield start
    try:
        for master in masters:
            if master.is_running():
                master.stop()
    finally:
        for master in masters:
            master.kill()
        shutil.rmtree(root, ignore_errors=True)


@pytest.fixture
def master(start_master):
    """A master that accepts every new key."""
    return start_master()
