"""Commands through the real program: exit codes, allow lists, interruption."""

import os
import signal
import subprocess

import pytest


def test_the_exit_code_of_the_command_fails_the_job(salt_g):
    assert salt_g("cmd.run", "echo out; exit 3").code == 1
    assert salt_g("--retcode-passthrough", "cmd.run", "exit 3").code == 3
    assert salt_g("cmd.run", "exit 3", "ignore_retcode=True").code == 0


def test_commands_from_a_command_line_go_through_a_shell(salt_g):
    assert salt_g("cmd.run", "echo $((6 * 7)) | cat").value == "42"


def test_output_that_is_not_utf8_is_shown_all_the_same(salt_g):
    assert salt_g("cmd.run", r"printf 'a\377b'").value == "a\ufffdb"


def test_commands_may_be_forbidden(salt_g):
    outcome = salt_g("cmd.run", "rm -rf /nothing", cmd_blacklist_glob=["rm *"])

    assert outcome.code == 1
    assert 'The shell command "rm -rf /nothing" is not permitted: it matches' in outcome.err


def test_a_template_sees_grains(salt_g):
    assert salt_g("cmd.run", "echo {{ grains.id }}", "template=jinja").value == "m1"


def test_cmd_run_imports_no_renderer_and_no_hub(salt_g):
    command = [salt_g.program, "call", "--local", "-c", str(salt_g.conf), "cmd.run", "echo hi"]

    finished = subprocess.run(
        command,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPROFILEIMPORTTIME": "1"},
        check=True,
    )

    imported = {line.rpartition("|")[2].strip() for line in finished.stderr.splitlines()}
    assert "subprocess" in imported
    assert not imported & {"jinja2", "ruamel.yaml", "gevent", "zmq", "asyncio", "salt_g.state"}


def test_ctrl_c_ends_the_command_and_all_it_started(salt_g, tmp_path):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    command = [salt_g.program, "call", "--local", "-c", str(salt_g.conf), "cmd.run"]
    # The child of the command holds the pipe open: its end is the end of the child.
    program = subprocess.Popen([*command, f"sleep 60 > {fifo} & wait"], stdout=subprocess.PIPE)
    with open(fifo) as pipe:
        program.send_signal(signal.SIGINT)
        program.communicate(timeout=20)

        assert pipe.read() == ""
    assert program.returncode == 130


def test_states_of_commands_users_and_files_fit_together(salt_g):
    if os.geteuid() != 0:
        pytest.skip("only root may run commands as somebody else")
    salt_g.write(
        {
            "a.sls": "who: {cmd.run: [{name: id -un}, {runas: nobody}, {cwd: /}]}\n"
            "s: {cmd.script: [{source: 'salt://s.sh'}, {args: \"'a b' c\"}, {runas: nobody}, {cwd: /tmp}]}\n",
            "s.sh": '#!/bin/sh\necho "$1|$2"\n',
        }
    )

    results = {key.split("_|-")[1]: value for key, value in salt_g("state.apply", "a").value.items()}

    assert results["who"]["changes"]["stdout"] == "nobody"
    assert results["s"]["changes"]["stdout"] == "a b|c"


def test_each_program_reads_its_section_of_a_saltfile(salt_g):
    (salt_g.root / "Saltfile").write_text(
        "salt-call: {output: json, id: other}\nsalt-key: {list: nonsense}\nsalt-run: {log_level: loud}\n"
        "salt-cp: {timeout: soon}\n"
    )

    called = salt_g("grains.get", "id", as_json=False)
    others = [salt_g.run(*words) for words in (["key"], ["run", "x.y"], ["cp", "*", "a", "b"])]

    assert (called.code, called.value) == (0, "other")
    assert [one.code for one in others] == [64, 64, 64]
    assert "'nonsense' is not a valid argument to '--list'" in others[0].err
    assert "invalid value for log_level: 'loud'" in others[1].err
    assert "invalid value for timeout: 'soon'" in others[2].err


def test_every_program_prints_its_versions(salt_g):
    for name in ("call", "cmd", "run", "key", "cp"):
        result = salt_g.run(name, "-V")

        assert result.code == 0
        assert result.out.startswith("Salt Version:")
