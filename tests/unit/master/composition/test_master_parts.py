"""All parts of a master, made in one pass over real files: who shares what, and what is on the network."""

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
from salt_g.shapes import MasterCall
from salt_g.telemetry.metric_registry import Registry
from salt_g.wire.auth_server import MasterIdentity


@pytest.fixture
def compose(master_key):
    """Factory: the parts of a master with these settings, its persistence, network and metrics; `.root`."""
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
        metrics = Registry()
        parts = compose_master(opts, persistence, network, MasterIdentity(master_key, 4505), metrics)
        return parts, persistence, network, metrics

    make.root = pathlib.Path(root)
    yield make
    for persistence, network in opened:
        network.publisher.stop()
        persistence.store.stop()
    supervisor.stop()
    shutil.rmtree(root)


def test_making_parts_starts_none_of_them(compose):
    parts, _, network, _ = compose()

    assert parts.servers.requests.addresses == []
    assert os.listdir(compose.root / "sock_dir") == []
    assert network.bus.subscriptions == ()


def test_a_key_that_is_accepted_on_disk_can_be_a_target(compose):
    parts, _, _, _ = compose()

    (compose.root / "pki_dir" / "minions" / "m1").write_text("key")

    assert parts.targeting.targets.resolve("*").minions == ["m1"]


def test_a_command_of_a_local_user_reaches_the_runners(compose):
    parts, _, _, _ = compose()

    done = parts.calls.runner_calls.outcome(MasterCall("runner", "test.arg", ["x"], {}, "root"))

    assert (done["success"], done["return"]["args"]) == (True, ["x"])


def test_metrics_of_all_groups_are_registered(compose):
    _, _, _, metrics = compose()

    names = {line.split("{")[0].split(" ")[0] for line in metrics.text().splitlines() if line[0] != "#"}

    assert {
        "salt_g_events_total",
        "salt_g_calls_running",
        "salt_g_keys_accepted",
        "salt_g_requests_open",
    } - names == set()
