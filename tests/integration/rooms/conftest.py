"""Requirements of room tests on their machine."""

import itertools
import os
import shutil
import subprocess
from importlib.util import find_spec

import pytest

from tests.support.servers import missing

_numbers = itertools.count()


@pytest.fixture(scope="session")
def need():
    """Return a function that declares the programs a test needs; in CI it fails without them."""

    def check(*programs, root=False, libraries=()):
        lacks = [program for program in programs if not shutil.which(program)]
        lacks += [f"the library {name}" for name in libraries if find_spec(name) is None]
        if root and os.geteuid() != 0:
            lacks.append("the right to be root")
        if lacks:
            missing(", ".join(lacks))

    return check


@pytest.fixture
def inside(salt_g, need):
    """Yield the command in its own network namespace."""
    need("ip", root=True)
    name = f"salt-g-{os.getpid()}-{next(_numbers)}"
    subprocess.run(["ip", "netns", "add", name], check=True)
    wrapper = salt_g.root / "salt-g-inside"
    wrapper.write_text(f'#!/bin/sh\nexec ip netns exec {name} {salt_g.program} "$@"\n')
    wrapper.chmod(0o755)
    salt_g.program = str(wrapper)
    yield salt_g
    subprocess.run(["ip", "netns", "delete", name], check=True)
