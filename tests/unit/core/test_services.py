"""Services of a call: created on first use, typed by the kind of call."""

import pytest

from salt_g import api
from salt_g.services.daemons import MasterServices, MinionServices
from salt_g.services.plugins import Services


def _use(services):
    return api.use(api.CallContext(opts={}, grains={}, pillar={}, services=services))


def test_a_service_is_created_at_the_first_look_and_once():
    made = []
    services = Services(files=lambda: made.append(1) or "files")

    assert made == []
    assert (services.files, services.files, made) == ("files", "files", [1])


def test_a_service_that_a_call_does_not_have_is_missing():
    services = MinionServices(events=lambda: "bus")

    assert getattr(services, "events", None) == "bus"
    assert getattr(services, "master", None) is None
    with pytest.raises(AttributeError, match="this call has no service 'master'"):
        services.master  # noqa: B018


def test_a_replaced_service_is_the_others_own_and_the_rest_is_shared():
    services = MasterServices(keys=lambda: object(), banks=lambda: object())

    other = services.replace(banks=lambda: "other")

    assert isinstance(other, MasterServices)
    assert other.keys is services.keys
    assert (other.banks, services.banks == "other") == ("other", False)


def test_services_of_a_master_are_refused_elsewhere():
    with _use(MinionServices()), pytest.raises(AttributeError, match="this call has no MasterServices"):
        api.services(MasterServices)


def test_a_local_call_becomes_one_on_a_master_with_its_services():
    local = Services(files=lambda: "files")

    with _use(local.extended(MasterServices, keys=lambda: "keys")):
        assert (api.services(MasterServices).keys, api.services().files) == ("keys", "files")
