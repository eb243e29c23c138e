"""Parts of a master, made over real files."""

import os
import pathlib
import shutil
import tempfile

import pytest

from salt_g.config.registry import defaults
from salt_g.master.composition.master_parts import compose_master
from salt_g.master.composition.network import compose_network
from salt_g.master.composition.persistence import compose_persistence
from salt_g.process.supervisor import Supervisor
from salt_g.telemetry.metric_registry import MetricRegistry
from salt_g.wire.auth_server import MasterIdentity


@pytest.fixture
def compose(master_key):
    """Yield a function that composes a master with these settings.

    It has its persistence, network and metrics, and `.root`.
    """
    # Not tmp_path: the path of a UNIX socket has 107 bytes at most.
    root = tempfile.mkdtemp(prefix="sg-")
    supervisor, opened = Supervisor("test"), []

    def make(**settings):
        places = {name: os.path.join(root, name) for name in ("cachedir", "pki_dir", "sock_dir", "token_dir")}
        opts = {**defaults("master"), **places, "id": "master", "user": "root", "interface": "127.0.0.1"}
        opts |= {"publish_port": 0, "ret_port": 0, "conf_file": os.path.join(root, "master"), **settings}
        persistence = compose_persistence(opts)
        persistence.store.start()
        network = compose_network(opts, persistence.key_files, supervisor)
        network.publisher.start()
        opened.append((persistence, network))
        metrics = MetricRegistry()
        parts = compose_master(opts, persistence, network, MasterIdentity(master_key, 4505), metrics)
        return parts, persistence, network, metrics

    make.root = pathlib.Path(root)
    yield make
    for persistence, network in opened:
        network.publisher.stop()
        persistence.store.stop()
    supervisor.stop()
    shutil.rmtree(root)
