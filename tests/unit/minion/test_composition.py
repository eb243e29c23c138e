"""The parts of a minion: one connection for each master, or one for all, or none."""

from types import SimpleNamespace

import pytest

from salt_g.config import Settings
from salt_g.config.registry import defaults
from salt_g.errors import ConfigError, SaltGError
from salt_g.minion.composition import compose_background, compose_connections, compose_jobs, fire

FINDER = "def masters():\n    return ['x', 'y']\n"


@pytest.fixture
def compose(opts, supervisor, networks, tmp_path):
    """Return a function that makes a minion's shared parts with these settings, and its connections."""

    def make(*, origins=(), **changes):
        places = {"sock_dir": str(tmp_path), "conf_file": str(tmp_path / "minion")}
        whole = {**defaults("minion"), **opts, **places, "user": "root", **changes}
        parts = compose_jobs(whole, supervisor)
        settings = Settings("minion", whole, dict(origins), [])
        return whole, parts, compose_connections(settings, parts, networks())

    return make


def names(connections):
    return [connection.name for connection in connections.masters]


def test_each_master_has_a_connection_and_each_name_counts_once(compose):
    _, _, connections = compose(master=["a", "b", "a"])

    assert names(connections) == ["a", "b"]
    assert connections.call_data is connections.masters[0].call_data


@pytest.mark.parametrize("way", ["failover", "distributed"])
def test_masters_that_are_tried_in_order_share_one_connection(compose, way):
    _, _, connections = compose(master=["a", "b"], master_type=way)

    assert len(connections.masters) == 1


def test_a_function_of_the_minion_names_the_masters(compose, tmp_path):
    (tmp_path / "finding.py").write_text(FINDER)
    found = {"master_type": "func", "module_dirs": [str(tmp_path)]}

    assert names(compose(master="finding.masters", **found)[2]) == ["x", "y"]
    with pytest.raises(SaltGError, match="there is no function 'finding.nosuch'"):
        compose(master="finding.nosuch", **found)


@pytest.mark.parametrize("changes", [{"master_type": "disable"}, {"file_client": "local"}])
def test_a_minion_without_a_master_has_its_own_data_and_sends_nothing(compose, changes):
    _, _, connections = compose(**changes)

    assert connections.masters == ()
    assert connections.call_data.context().opts["file_client"] == "local"
    connections.own.fire("tag", {})


def test_an_event_goes_to_all_masters():
    sent = []
    outboxes = [SimpleNamespace(fire=lambda *event, name=name: sent.append((name, *event))) for name in "ab"]

    fire([SimpleNamespace(outbox=outbox) for outbox in outboxes], "mine/tag", {"n": 1})

    assert sent == [("a", "mine/tag", {"n": 1}), ("b", "mine/tag", {"n": 1})]


def test_a_master_that_cannot_be_one_is_an_error_of_the_settings(compose):
    with pytest.raises(ConfigError, match="is neither a host nor host:port"):
        compose(master="salt:x")


def test_metrics_are_made_only_for_a_port(compose):
    opts, parts, connections = compose()

    assert compose_background({**opts, "metrics_port": 0}, parts, connections).metrics is None
    assert compose_background({**opts, "metrics_port": 1}, parts, connections).metrics is not None
