"""The context of calls on the master: its own files and pillar, and services of the daemon."""

import pytest

from salt_g.cache.read_sets import ReadSets
from salt_g.config.registry import defaults
from salt_g.master.calls.call_context import master_context, read_set_service
from salt_g.services.daemons import MasterServices, MinionServices


@pytest.fixture
def context(tmp_path):
    """Return a function that makes a context with these services."""
    opts = {**defaults("master"), "id": "master", "cachedir": str(tmp_path), "skip_grains": True}
    return lambda **services: master_context(opts, **services)


def test_services_of_the_daemon_are_those_of_a_master(context):
    bus = object()

    services = context(events=bus).services

    assert services.events is bus
    assert services.of(MasterServices) is services
    with pytest.raises(AttributeError, match="this call has no MinionServices"):
        services.of(MinionServices)


def test_a_service_that_the_daemon_does_not_offer_is_an_error(context):
    with pytest.raises(AttributeError, match="this call has no service 'banks'"):
        _ = context().services.banks


def test_files_are_those_of_this_machine_and_plugins_are_read_for_each_call(context):
    one, other = context(), context()

    assert one.opts["file_client"] == "local"
    assert one.services.plugins is not other.services.plugins


def test_only_a_master_with_the_setting_has_read_sets():
    assert read_set_service({"impact": False}, None) == {}
    assert isinstance(read_set_service({"impact": True}, None)["read_sets"], ReadSets)
