"""Programs with a hub, as masters have it, that run pillar workers."""

import subprocess
import sys
import textwrap

import pytest

PROGRAM = """
from salt_g.process.monkey_patch import patch
patch()
import os, sys
import gevent, gevent.event
from salt_g.master.pillar_workers.worker_process import WorkerProcess
from salt_g.master.pillar_workers.workers import PillarWorkers
from salt_g.master.serving.hub_pillars import PillarRequest
from salt_g.process.supervisor import Supervisor
root = sys.argv[1]
opts = {"id": "master", "cachedir": f"{root}/cache", "extension_modules": f"{root}/ext",
        "pillar_roots": {"base": [f"{root}/pillar"]}, "file_roots": {}}
def asks(id):
    return PillarRequest(id, {"id": id})
"""
TREE = {
    "top.sls": "base:\n  'good*': [good]\n  'odd': [odd]\n  'deadly': [deadly]\n",
    "good.sls": "id: {{ grains.id }}\n",
    "odd.sls": "#!py\ndef run():\n    return {'a': {1, 2}}\n",
    "deadly.sls": "#!py\nimport os\ndef run():\n    os.kill(os.getpid(), 9)\n",
}


@pytest.fixture
def output_of(tmp_path):
    """Return the words that a program over a small pillar tree prints."""
    (tmp_path / "pillar").mkdir()
    for name, text in TREE.items():
        (tmp_path / "pillar" / name).write_text(text)

    def run(program):
        command = [sys.executable, "-c", PROGRAM + textwrap.dedent(program), str(tmp_path)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    return run
