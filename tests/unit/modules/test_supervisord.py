import pytest

from salt_g.errors import CommandExecutionError, CommandNotFound
from salt_g.modules import cmd, supervisord

#: `supervisorctl status` of supervisor 4.2.5.
STATUS = """\
web:web_00                       RUNNING   pid 1234, uptime 0:00:05
mail                             STOPPED   Not started
"""


@pytest.fixture
def ran(call_context, tmp_path):
    """Return (words passed to supervisorctl, path of its virtualenv)."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "supervisorctl").touch()
    calls = []

    def run_all(argv, **options):
        calls.append(argv[1:])
        if argv[1:] == ["status", "nosuch"]:
            return {"pid": 1, "retcode": 4, "stdout": "nosuch: ERROR (no such process)", "stderr": ""}
        return {"pid": 1, "retcode": int(argv[-1] == "bad"), "stdout": STATUS, "stderr": ""}

    call_context(functions={"cmd.run_all": run_all})
    return calls, str(tmp_path)


def test_groups_are_written_as_each_command_wants_them(ran):
    calls, env = ran

    supervisord.start("web:*", bin_env=env)
    supervisord.add("web:*", bin_env=env)
    supervisord.remove("web:", bin_env=env)
    supervisord.update(name="web", conf_file="/c", bin_env=env)
    supervisord.custom("pid mail", bin_env=env)

    assert calls == [
        ["start", "web:"],
        ["add", "web"],
        ["remove", "web"],
        ["-c", "/c", "update", "web"],
        ["pid mail"],
    ]


def test_states_are_reported_by_program(ran):
    _, env = ran

    result = supervisord.status(bin_env=env)

    assert result["web:web_00"] == {"state": "RUNNING", "reason": "pid 1234, uptime 0:00:05"}
    assert supervisord.status_bool("mail", bin_env=env)
    assert not supervisord.status_bool("mail", "RUNNING", bin_env=env)
    assert not supervisord.status_bool("nosuch", bin_env=env)


def test_a_failure_begins_with_error(ran):
    _, env = ran

    assert supervisord.stop("bad", bin_env=env).startswith("ERROR: ")


def test_settings_are_read_with_their_kinds(tmp_path):
    (tmp_path / "conf").write_text(
        "[program:web]\ncommand=/bin/web %(x)s ; a comment\nnumprocs=2\nautostart=true\n"
    )

    result = supervisord.options("web", str(tmp_path / "conf"))

    assert result == {"command": "/bin/web %(x)s", "numprocs": 2, "autostart": True}
    with pytest.raises(CommandExecutionError, match="'mail' not found"):
        supervisord.options("mail", str(tmp_path / "conf"))


def test_a_virtualenv_without_supervisor_is_named(tmp_path):
    with pytest.raises(CommandNotFound, match="supervisorctl"):
        supervisord.status(bin_env=str(tmp_path))


def test_failures_of_changes_count_for_the_call_and_those_of_status_do_not(call_context, tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "supervisorctl").write_text("#!/bin/sh\nexit 3\n")
    (tmp_path / "bin" / "supervisorctl").chmod(0o755)
    context = call_context(functions={"cmd.run_all": cmd.run_all})

    supervisord.status(bin_env=str(tmp_path))
    assert not context.scratch.get("retcode")
    supervisord.start("web", bin_env=str(tmp_path))
    assert context.scratch["retcode"] != 0
