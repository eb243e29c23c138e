"""The shell scripts themselves, run by this machine's shell; and the words that start commands there."""

import pytest

from salt_g.resources.ssh import _files, _remote_shell
from salt_g.resources.ssh._connection import Connection
from salt_g.resources.ssh._sessions import after_mark
from salt_g.resources.ssh._settings import host_of
from tests.support.shell_scripts import sh


def look(path, wanted="", follow="1"):
    return _files._seen(path, sh(_files._LOOK, path, follow, wanted, "1000", "", "").stdout, None, None)


def test_a_look_reports_what_is_there(tmp_path):
    path = tmp_path / "a  file"
    path.write_bytes(b"content=\n\0x")
    path.chmod(0o604)
    (tmp_path / "link").symlink_to("a  file")

    seen = look(str(path), _files.CONTENT)
    link = look(str(tmp_path / "link"), follow="0")

    assert (seen.is_file, seen.mode, seen.content, seen.target) == (True, "0604", b"content=\n\0x", None)
    assert (link.target, look(str(tmp_path)).is_directory) == ("a  file", True)
    assert not look(str(tmp_path / "none")).lexists


def test_content_is_sent_only_where_the_hash_differs(tmp_path):
    path = tmp_path / "f"
    path.write_text("x")
    same = look(str(path), _files.HASH).hash

    assert look(str(path), same).content is None
    assert look(str(path), "0" * 64).content == b"x"


def test_a_write_is_whole_or_not_at_all(tmp_path):
    path = tmp_path / "new" / "deep" / "f"
    whole = sh(_files._WRITE, str(path), "0640", "", "3", "1", "0750", "1", stdin=b"abc")
    cut = sh(_files._WRITE, str(path), "0640", "", "9", "1", "", "1", stdin=b"abcd")

    assert whole.returncode == 0, whole.stderr
    assert cut.returncode == 1
    assert path.read_text() == "abc"
    assert [oct(one.stat().st_mode & 0o777) for one in (path, path.parent)] == ["0o640", "0o750"]
    assert [one.name for one in path.parent.iterdir()] == ["f"]


def test_a_path_that_cannot_be_replaced_has_its_mode_before_its_content(tmp_path):
    path = tmp_path / "mounted"
    path.write_text("old")
    path.chmod(0o644)
    mv_fails = "mv() { return 1; }\n"

    done = sh(mv_fails + _files._WRITE, str(path), "0600", "", "3", "0", "", "0", stdin=b"key")

    assert done.returncode == 0, done.stderr
    assert (path.read_text(), oct(path.stat().st_mode & 0o777)) == ("key", "0o600")
    assert [one.name for one in tmp_path.iterdir()] == ["mounted"]


@pytest.mark.parametrize("shell", ["/bin/bash", "/usr/bin/fish"])
def test_commands_survive_every_login_shell(shell):
    connection = Connection(host_of("w", {"host": "h"}))
    connection._shell = shell
    words = ["printf", "%s|", "a  b", "c'd\"", "$HOME\\", "ä\n!"]

    command = connection._command(words, tty=False, merge=False)

    done = sh(command)
    pid, out = after_mark(done.stdout)
    assert pid > 0
    assert out.decode() == "a  b|c'd\"|$HOME\\|ä\n!|"


def test_output_of_a_login_profile_is_discarded():
    assert after_mark(b"noise\nsalt-g began 12\nout") == (12, b"out")
    assert after_mark(b"no mark") == (0, b"no mark")


def test_the_shell_that_stays_runs_lines_one_after_another():
    script = 'cat; printf "%s|" "$@"; echo err >&2; exit 3'
    lines = b"".join(
        _remote_shell._line(script, ["a  b", "c'\\n\"", "$x\ny"], stdin) for stdin in (b"in\\n'\xff\n", b"")
    )

    done = sh(_remote_shell._LOOP, "TOKEN", stdin=lines)

    begun, first, second, rest = done.stdout.split(b"TOKEN")
    assert (begun, rest) == (b"", b" 3\n")
    assert first.startswith(b" 0 ")
    assert first.partition(b"\n")[2] == b"in\\n'\xff\na  b|c'\\n\"|$x\ny|"
    assert second == b" 3\na  b|c'\\n\"|$x\ny|"
    assert done.stderr == b"TOKEN\nerr\nTOKEN\nerr\nTOKEN\n"


def test_commands_apart_keep_their_streams_their_code_and_their_number():
    words = ["/bin/sh", "-c", "cat; echo err >&2; echo out > /dev/stdout; exit 3"]
    script = _remote_shell._apart(words, b"in'\\n\n", "DONE", merge=False)

    done = sh(_remote_shell._LOOP, "TOKEN", stdin=_remote_shell._line(script, (), b""))

    _, answer, rest = done.stdout.split(b"TOKEN")
    pid, out = after_mark(answer.partition(b"\n")[2])
    assert pid > 0
    assert (out, rest) == (b"in'\\n\nout\nDONE 3\n", b" 0\n")
    assert done.stderr == b"TOKEN\nerr\nDONE\nTOKEN\n"
