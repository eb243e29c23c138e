"""Call data without a master: files and pillar of this machine, services of the daemon."""

import pytest

from salt_g import api
from salt_g.config.registry import defaults
from salt_g.errors import CommandExecutionError, SaltGError
from salt_g.loader import Loader
from salt_g.minion.masterless_call_data import MasterlessCallData
from salt_g.shapes import MasterCall


@pytest.fixture
def data(tmp_path):
    """Return data of a masterless minion whose pillar is `{"role": "web"}`."""
    (tmp_path / "pillar").mkdir()
    (tmp_path / "pillar" / "top.sls").write_text("base: {'*': [all]}\n")
    (tmp_path / "pillar" / "all.sls").write_text("role: web\n")
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "here.txt").write_text("content")
    opts = {
        **defaults("minion"),
        "id": "m1",
        "cachedir": str(tmp_path / "cache"),
        "conf_file": str(tmp_path / "minion"),
        "pillar_roots": {"base": [str(tmp_path / "pillar")]},
        "file_roots": {"base": [str(tmp_path / "files")]},
    }
    return MasterlessCallData(opts, loader=Loader(opts), services={"events": lambda: "the bus"})


def test_a_context_has_what_is_kept_between_jobs_and_the_daemons_services(data):
    data.grains, data.pillar = {"os": "X"}, {"a": 1}

    context = data.context("test.ping")

    assert (context.grains, context.pillar, context.services.events) == ({"os": "X"}, {"a": 1}, "the bus")
    assert context.services.plugins is data.loader


def test_pillar_and_files_are_those_of_this_machine(data):
    assert data.compile_pillar() and data.pillar == {"role": "web"}

    with api.use(data.context()) as context:
        path = context.services.files.cache_file("salt://here.txt")

    with open(path) as file:
        assert file.read() == "content"


def test_there_is_no_channel_to_a_master(data):
    with pytest.raises(SaltGError, match="this minion has no master"):
        _ = data.channel


def test_a_master_on_this_machine_can_be_called_if_there_is_one(data):
    calls = data.context().services.calls

    with pytest.raises(CommandExecutionError, match="on a minion that is located on the master"):
        calls.outcome(MasterCall("runner", "test.arg", [], {}, "root"))
