"""Contexts of calls with a master: the applicable settings, and parts made on first use."""

import pytest

from salt_g import api
from salt_g.config import Settings
from salt_g.minion.minion_context import is_masterless, master_tops, opts_for, remote_context


class Master:
    """Channel to a master with these answers by command; `.requests` are the loads."""

    def __init__(self, **answers):
        self.answers = answers
        self.requests = []

    def ask(self, load, **options):
        self.requests.append(load)
        return self.answers.get(load["cmd"])


def context_of(master, tmp_path, **parts):
    opts = {"id": "m1", "cachedir": str(tmp_path), "__role": "minion", "secret": 1}
    return remote_context(opts, master, grains={"os": "X"}, pillar={"a": 1}, **parts)


def test_services_are_made_when_they_are_asked_for(tmp_path):
    made = []
    context = context_of(Master(), tmp_path, jobs=lambda: made.append("jobs") or "the jobs")

    assert made == []
    assert (context.services.jobs, context.services.jobs, made) == ("the jobs", "the jobs", ["jobs"])


def test_the_master_is_a_service(tmp_path):
    master = Master()

    assert context_of(master, tmp_path).services.master is master


@pytest.mark.parametrize("fun", ["state.apply", "saltutil.sync_all"])
def test_functions_that_read_sls_have_some_settings_of_the_master(fun):
    master = Master(_master_opts={"state_top": "other.sls", "id": "master", "user": "salt"})

    opts = opts_for({"id": "m1", "state_top": "top.sls", "user": "root"}, master, fun)

    assert opts == {"id": "m1", "state_top": "other.sls", "user": "root"}


@pytest.mark.parametrize("answer", [None, "", ["state_top"]])
def test_an_answer_that_is_not_a_mapping_changes_nothing(answer):
    assert opts_for({"id": "m1"}, Master(_master_opts=answer), "state.apply") == {"id": "m1"}


def test_other_functions_ask_nothing_of_the_master():
    master = Master()

    assert opts_for({"id": "m1"}, master, "test.ping") == {"id": "m1"}
    assert master.requests == []


def test_tops_of_the_master_are_asked_with_settings_and_grains(tmp_path):
    master = Master(_master_tops={"base": ["web", 1], "dev": "no list"})

    with api.use(context_of(master, tmp_path)):
        assert master_tops(master) == {"base": ["web", "1"]}

    (load,) = master.requests
    assert (load["opts"]["grains"], load["opts"]["id"]) == ({"os": "X"}, "m1")
    assert "__role" not in load["opts"]


def test_a_master_without_tops_adds_none(tmp_path):
    master = Master()
    with api.use(context_of(master, tmp_path)):
        assert master_tops(master) == {}


@pytest.mark.parametrize(
    ("opts", "origins", "expected"),
    [
        ({"file_client": "local"}, {"master": "file"}, True),
        ({"file_client": "remote"}, {}, True),
        ({"file_client": "remote"}, {"master": "file"}, False),
    ],
)
def test_calls_need_no_master_without_one_in_the_settings(opts, origins, expected):
    assert is_masterless(Settings("minion", opts, origins, [])) is expected
