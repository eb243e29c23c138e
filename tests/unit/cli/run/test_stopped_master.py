"""Runners and wheel functions without a master, called with every kind of wrong arguments."""

import pytest

from salt_g import config
from salt_g.cli.run.stopped_master import OF_A_DAEMON, stopped_context
from salt_g.errors import MasterUnreachable
from salt_g.master.calls.plugin_call import TABLES, call_function
from salt_g.services.daemons import MasterServices

ARGUMENTS = ([], ["nosuch"], ["nosuch", "x"], [[1, 2]], [{"a": 1}], [None], [7])
#: They wait for events or for a time, or raise on purpose.
_LEFT_OUT = {"error.error", "state.event", "test.sleep"}


class _Quiet:
    def fire(self, data, suffix="progress"):
        pass

    def write(self, text):
        pass


@pytest.fixture
def context(tmp_path, monkeypatch):
    # One of the arguments is a directory to some: `key.gen_keys` writes into it.
    monkeypatch.chdir(tmp_path)
    settings = {"root_dir": str(tmp_path), "impact": True}
    opts = config.load("master", str(tmp_path), settings, asks_for_id=False).opts

    def refuse():
        raise MasterUnreachable("no master")

    return stopped_context(opts, _Quiet(), refuse)


@pytest.mark.parametrize("kind", TABLES)
def test_no_runner_gives_a_traceback_where_no_master_has_run(context, kind, capsys):
    names = sorted(set(context.table(TABLES[kind])) - _LEFT_OUT)
    result = {
        (fun, str(args)): call_function(context, kind, fun, args, {}) for fun in names for args in ARGUMENTS
    }

    assert len(names) > 20
    ends = {
        call: str(outcome["return"])[-300:]
        for call, outcome in result.items()
        if "Traceback" in str(outcome["return"])
    }
    assert ends == {}


def test_pillar_and_files_are_shown_where_no_master_has_run(context):
    shown = call_function(context, "runner", "pillar.show_pillar", ["m1"], {})
    top = call_function(context, "runner", "pillar.show_top", [], {})
    envs = call_function(context, "runner", "fileserver.envs", [], {})

    assert (shown["return"], top["return"], envs["return"]) == ({}, {}, ["base"])


def test_functions_that_need_the_daemon_are_refused_with_the_reason(context):
    for fun, args in (("batch.list_active", []), ("cache.flush", ["bank"]), ("resource.list", [])):
        assert call_function(context, "runner", fun, args, {})["return"] == f"runner {fun}: no master"


def test_each_service_of_a_daemon_is_refused_and_the_others_are_there(context):
    for name in OF_A_DAEMON:
        with pytest.raises(MasterUnreachable):
            getattr(context.services, name)
    for name in sorted({name for name in vars(MasterServices) if name[0] != "_"} - set(OF_A_DAEMON)):
        assert getattr(context.services, name) is not None
