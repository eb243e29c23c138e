"""Data that a minion keeps between jobs for one master: grains, pillar, and the contexts made of them."""

import pytest

from salt_g import api
from salt_g.config.registry import defaults
from salt_g.errors import CommandExecutionError, NoReply, SaltGError
from salt_g.loader import Loader
from salt_g.minion.call_data import RESOURCES_GRAIN, CallData, MasterlessCallData
from salt_g.shapes import MasterCall


class Master:
    """A channel to a master with these answers; an exception among them is raised."""

    def __init__(self, pillar=None, **answers):
        self.pillar = pillar
        self.answers = answers
        self.commands = []

    def ask(self, load, **options):
        self.commands.append(load["cmd"])
        return self.answers.get(load["cmd"])

    def ask_pillar(self, load):
        if isinstance(self.pillar, Exception):
            raise self.pillar
        return self.pillar


@pytest.fixture
def data(tmp_path):
    """Return a function that makes the data of a minion of this master, with this grain module."""

    def make(master=None, grain="def mine():\n    return {'mine': 1}\n", **settings):
        folder = tmp_path / "root" / "grains"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "mine.py").write_text(grain)
        opts = {
            **defaults("minion"),
            **{"id": "m1", "cachedir": str(tmp_path), "conf_file": str(tmp_path / "minion")},
            **{"grains_dirs": [str(folder)], **settings},
        }
        return CallData(opts, master, loader=Loader(opts), services={"events": lambda: "the bus"})

    return make


def test_a_context_has_what_is_kept_and_the_services_of_the_daemon(data):
    made = data(Master())
    made.grains, made.pillar = {"os": "X"}, {"a": 1}

    context = made.context("test.ping")

    assert (context.grains, context.pillar, context.opts["id"]) == ({"os": "X"}, {"a": 1}, "m1")
    assert context.services.events == "the bus"


@pytest.mark.parametrize(("fun", "expected"), [("test.ping", []), ("state.apply", ["_master_opts"])])
def test_the_masters_settings_are_asked_for_by_functions_that_read_sls(data, fun, expected):
    master = Master(_master_opts={"state_top": "other.sls", "id": "master", "cachedir": "/"})
    opts = data(master).context(fun).opts

    assert master.commands == expected
    assert (opts["state_top"], opts["id"]) == ("other.sls" if expected else "top.sls", "m1")


def test_a_master_that_answers_nothing_changes_no_setting(data):
    assert data(Master(_master_opts="?")).context("state.apply").opts["state_top"] == "top.sls"


@pytest.mark.parametrize(
    ("load", "is_meant"),
    [
        ({"tgt": "m*"}, True),
        ({"tgt": "web"}, False),
        ({"tgt": "os:X", "tgt_type": "grain"}, True),
        ({"tgt": "a|b", "tgt_type": "pillar", "delimiter": "|"}, True),
        ({"tgt": "m1", "tgt_type": None}, True),
    ],
)
def test_targets_are_matched_with_grains_and_pillar(data, load, is_meant):
    made = data(Master())
    made.grains, made.pillar = {"os": "X"}, {"a": "b"}

    assert made.matches(load) is is_meant


def test_gathered_grains_replace_the_old_ones_and_report_whether_they_differ(data):
    made = data(Master())

    assert made.gather_grains() is True
    assert made.grains["mine"] == 1
    made.grains = {**made.grains, "gone": 1}
    assert made.gather_grains() is True
    assert "gone" not in made.grains


def test_managed_resources_are_a_setting_and_a_grain(data):
    made = data(Master())
    made.grains = {"os": "X"}

    made.set_resources({"ssh": ["a"]})

    assert (made.grains[RESOURCES_GRAIN], made.context().opts["resources"]) == ({"ssh": ["a"]},) * 2
    made.set_resources({})
    assert made.grains == {"os": "X"}
    assert not made.context().opts.get("resources")


def test_pillar_is_kept_where_the_master_gives_none(data, caplog):
    master = Master(pillar={"a": 1})
    made = data(master)
    assert (made.compile_pillar(), made.pillar, made.has_pillar) == (True, {"a": 1}, True)

    master.pillar = NoReply("master", 1)

    assert (made.compile_pillar(), made.pillar) == (False, {"a": 1})
    assert "cannot load pillar" in caplog.text


@pytest.mark.parametrize(
    ("errors", "logged"),
    [
        (["one", "two"], ["pillar has an error: one", "pillar has an error: two"]),
        ("text", ["pillar has an error: text"]),
        (5, ["pillar has an error: 5"]),
        (None, []),
        ([], []),
    ],
)
def test_errors_in_pillar_are_logged_whatever_they_are(data, caplog, errors, logged):
    made = data(Master(pillar={"_errors": errors, "a": 1}))

    assert made.compile_pillar() is True
    assert [text for text in caplog.messages if text.startswith("pillar has")] == logged


def test_a_minion_without_a_master_raises(data):
    with pytest.raises(SaltGError, match="has no master"):
        _ = data(None).channel


@pytest.fixture
def masterless(tmp_path):
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


def test_a_context_has_what_is_kept_between_jobs_and_the_daemons_services(masterless):
    masterless.grains, masterless.pillar = {"os": "X"}, {"a": 1}

    context = masterless.context("test.ping")

    assert (context.grains, context.pillar, context.services.events) == ({"os": "X"}, {"a": 1}, "the bus")
    assert context.services.plugins is masterless.loader


def test_pillar_and_files_are_those_of_this_machine(masterless):
    assert masterless.compile_pillar() and masterless.pillar == {"role": "web"}

    with api.use(masterless.context()) as context:
        path = context.services.files.cache_file("salt://here.txt")

    with open(path) as file:
        assert file.read() == "content"


def test_there_is_no_channel_to_a_master(masterless):
    with pytest.raises(SaltGError, match="this minion has no master"):
        _ = masterless.channel


def test_a_master_on_this_machine_can_be_called_if_there_is_one(masterless):
    calls = masterless.context().services.calls

    with pytest.raises(CommandExecutionError, match="on a minion that is located on the master"):
        calls.outcome(MasterCall("runner", "test.arg", [], {}, "root"))
