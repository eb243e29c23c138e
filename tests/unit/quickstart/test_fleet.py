"""Fleet of a trial: its permitted stores."""

import pytest

from salt_g.cache.banks import Banks
from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.cache.jobs import Jobs
from salt_g.errors import StoreFilled
from salt_g.quickstart.fleet import check_trial


@pytest.fixture
def store(tmp_path):
    with EmbeddedStore(str(tmp_path)) as store:
        yield store


def test_an_empty_store_and_one_of_an_earlier_trial_may_be_used(store):
    check_trial(store, ["m1"])
    Banks(store).store("grains", "m1", {}).result()
    Banks(store).store("tokens", "ann", {}).result()

    check_trial(store, ["m1", "m2"])


@pytest.mark.parametrize("kind", ["return", "grains"])
def test_a_store_with_data_of_others_may_not(store, kind):
    if kind == "grains":
        Banks(store).store("grains", "web1", {}).result()
    else:
        load = {"jid": "20261118000000000001", "id": "web1", "fun": "test.ping", "return": True}
        Jobs(store).save_return(load).result(30)

    with pytest.raises(StoreFilled, match="has data of the minion web1"):
        check_trial(store, ["m1"])
