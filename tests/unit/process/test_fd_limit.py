"""Limit of open files, raised as far as permitted; each test uses a separate process."""

import ast
import subprocess
import sys

import pytest

PROGRAM = """
import resource, sys
soft, hard, wanted = map(int, sys.argv[1:])
resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
from salt_g.process import fd_limit
print((fd_limit.allow(wanted), fd_limit.limit(), resource.getrlimit(resource.RLIMIT_NOFILE)))
"""


@pytest.mark.parametrize(
    ("soft", "hard", "wanted", "now"),
    [
        pytest.param(100, 400, 300, 300, id="what is wanted"),
        pytest.param(100, 400, 1000, 400, id="no more than the system permits"),
        pytest.param(200, 400, 100, 200, id="never lowered"),
        pytest.param(400, 400, 400, 400, id="unchanged"),
    ],
)
def test_the_limit_is_raised_as_far_as_permitted(soft, hard, wanted, now):
    words = [sys.executable, "-c", PROGRAM, *map(str, (soft, hard, wanted))]

    finished = subprocess.run(words, capture_output=True, text=True, check=True)

    assert ast.literal_eval(finished.stdout) == (now, now, (now, hard))
