"""What tests of the rooms need of their machine."""

import os
import shutil

import pytest
from servers import missing


@pytest.fixture(scope="session")
def need():
    """`need("rsync", root=True)`: the test needs these programs; in CI it fails without them."""

    def check(*programs, root=False):
        lacks = [program for program in programs if not shutil.which(program)]
        if root and os.geteuid() != 0:
            lacks.append("the right to be root")
        if lacks:
            missing(", ".join(lacks))

    return check
