"""What tests of the rooms need of their machine."""

import os
import shutil
from importlib.util import find_spec

import pytest
from servers import missing


@pytest.fixture(scope="session")
def need():
    """`need("rsync", root=True)`: the test needs these programs; in CI it fails without them."""

    def check(*programs, root=False, libraries=()):
        lacks = [program for program in programs if not shutil.which(program)]
        lacks += [f"the library {name}" for name in libraries if find_spec(name) is None]
        if root and os.geteuid() != 0:
            lacks.append("the right to be root")
        if lacks:
            missing(", ".join(lacks))

    return check
