import os
import pathlib
import stat

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.states.file import managed


def mode_of(path):
    return oct(stat.S_IMODE(os.stat(path).st_mode))[2:]


@pytest.fixture
def umask():
    before = os.umask(0o022)
    yield
    os.umask(before)


def test_a_missing_file_gets_its_contents_and_a_line_end(file_context, tmp_path, umask):
    file_context()
    path = tmp_path / "f"

    ret = managed(str(path), contents="text")

    assert ret == {
        "name": str(path),
        "result": True,
        "changes": {"diff": "New file"},
        "comment": f"File {path} updated",
    }
    assert path.read_text() == "text\n"
    assert mode_of(path) == "644"


def test_a_second_run_changes_nothing(file_context, tmp_path):
    file_context()
    path = tmp_path / "f"
    managed(str(path), contents=["a", 1], mode="0600")
    before = path.stat()

    ret = managed(str(path), contents=["a", 1], mode="0600")

    assert ret["changes"] == {}
    assert ret["comment"] == f"File {path} is in the correct state"
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    assert path.stat().st_ino == before.st_ino


def test_test_mode_shows_the_diff_and_leaves_the_file(file_context, tmp_path):
    file_context(test=True)
    path = tmp_path / "f"
    path.write_text("old\n")

    ret = managed(str(path), contents="new")

    assert ret["result"] is None
    assert ret["changes"] == {"diff": "--- \n+++ \n@@ -1 +1 @@\n-old\n+new\n"}
    assert path.read_text() == "old\n"


def test_test_mode_and_the_real_run_agree_about_the_mode(file_context, tmp_path):
    path = tmp_path / "f"
    path.write_text("x\n")
    path.chmod(0o600)

    file_context(test=True)
    planned = managed(str(path), contents="x", mode="0640")["changes"]
    file_context()
    done = managed(str(path), contents="x", mode="0640")["changes"]

    assert planned == done == {"mode": "0640"}
    assert mode_of(path) == "640"


def test_a_source_shows_the_mode_of_the_new_file(file_context, tmp_path, served, umask):
    file_context()
    (served / "src").write_text("src\n")
    path = tmp_path / "f"

    ret = managed(str(path), source="salt://src")

    assert ret["changes"] == {"diff": "New file", "mode": "0644"}
    assert path.read_text() == "src\n"


def test_mode_keep_takes_the_mode_of_the_source(file_context, tmp_path, served):
    file_context()
    (served / "src").write_text("src\n")
    (served / "src").chmod(0o750)
    path = tmp_path / "f"

    managed(str(path), source="salt://src", mode="keep")

    assert mode_of(path) == "750"


def test_context_wins_over_defaults_in_a_template(file_context, tmp_path, served):
    file_context()
    (served / "t").write_text("{{ a }} {{ b }} {{ name }}\n")
    path = tmp_path / "f"

    managed(str(path), source="salt://t", template="jinja", defaults={"a": 1, "b": 1}, context={"b": 2})

    assert path.read_text() == f"1 2 {path}\n"


def test_a_template_error_fails_and_keeps_the_old_file(file_context, tmp_path, served):
    file_context()
    (served / "t").write_text("{{ nope }}\n")
    path = tmp_path / "f"
    path.write_text("old\n")

    ret = managed(str(path), source="salt://t", template="jinja")

    assert ret["result"] is False
    assert ret["comment"] == "Unable to manage file: Jinja variable is undefined"
    assert path.read_text() == "old\n"


def test_the_first_source_that_exists_is_taken(file_context, tmp_path, served):
    file_context()
    (served / "two").write_text("2\n")
    path = tmp_path / "f"

    managed(str(path), source=["salt://one", "/nowhere", {"salt://two": ""}])

    assert path.read_text() == "2\n"


@pytest.mark.parametrize(
    ("arguments", "comment"),
    [
        ({"source": "salt://no"}, "Unable to manage file: Source file salt://no not found in saltenv 'base'"),
        ({"source": ["salt://no"]}, "Unable to manage file: none of the specified sources were found"),
        ({"source": "/no/file"}, "Unable to manage file: Local file source /no/file does not exist"),
        (
            {"contents": "x", "contents_pillar": "y"},
            "Only one of 'contents', 'contents_pillar', and 'contents_grains' is permitted",
        ),
        ({"contents": "x", "context": [1]}, "Context must be formed as a dict"),
        ({"contents": "x", "user": "no such user"}, "User no such user is not available "),
        (
            {"contents": "", "allow_empty": False},
            "'contents' value would result in empty contents. Set allow_empty to True to allow the managed "
            "file to be empty.",
        ),
        (
            {"source": "http://127.0.0.1:9/x"},
            "Unable to manage file: Unable to verify upstream hash of source file http://127.0.0.1:9/x, "
            "please set source_hash or set skip_verify to True",
        ),
    ],
)
def test_an_unsatisfiable_request_gives_the_reason(file_context, tmp_path, arguments, comment):
    file_context()

    ret = managed(str(tmp_path / "f"), **arguments)

    assert (ret["result"], ret["comment"], ret["changes"]) == (False, comment, {})
    assert not (tmp_path / "f").exists()


def test_a_source_with_another_hash_is_refused(file_context, tmp_path):
    file_context()
    source = tmp_path / "src"
    source.write_text("hello")

    ret = managed(str(tmp_path / "f"), source=str(source), source_hash="md5=" + "0" * 32)

    assert ret["comment"] == (
        f"Specified md5 checksum for {tmp_path / 'f'} ({'0' * 32}) does not match actual checksum "
        "(5d41402abc4b2a76b9719d911017c592)"
    )
    assert not (tmp_path / "f").exists()


def test_a_missing_directory_is_an_error_unless_it_may_be_made(file_context, tmp_path):
    file_context()
    path = tmp_path / "d" / "e" / "f"

    refused = managed(str(path), contents="x")
    made = managed(str(path), contents="x", makedirs=True, mode="0640")

    assert refused["comment"] == "Parent directory not present"
    assert made["result"] is True
    assert mode_of(path.parent) == "750"


def test_a_link_is_followed_and_stays(file_context, tmp_path):
    file_context()
    (tmp_path / "real").write_text("old\n")
    (tmp_path / "link").symlink_to("real")

    managed(str(tmp_path / "link"), contents="new")

    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new\n"


def test_a_full_disk_keeps_the_old_file_and_leaves_nothing_behind(file_context, tmp_path, monkeypatch):
    file_context()
    path = tmp_path / "f"
    path.write_text("old\n")

    def full(*args, **kwargs):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    ret = managed(str(path), contents="new")

    assert ret["result"] is False
    assert ret["comment"] == f"Failed to commit change: [Errno 28] No space left on device: {str(path)!r}"
    assert path.read_text() == "old\n"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["f", "served"]


def test_check_cmd_that_refuses_keeps_the_old_file(file_context, tmp_path):
    checked = []

    def run_all(command, **options):
        checked.append(pathlib.Path(command.split()[-1]).read_text())
        return {"retcode": 1, "stdout": "line 1: bad", "stderr": ""}

    file_context(functions={"cmd.run_all": run_all})
    path = tmp_path / "f"
    path.write_text("old\n")

    ret = managed(str(path), contents="new", check_cmd="checker")

    assert checked == ["new\n"]
    assert ret["comment"] == "check_cmd execution failed\nline 1: bad"
    assert (ret["result"], ret["changes"], ret["skip_watch"]) == (False, {}, True)
    assert path.read_text() == "old\n"


def test_a_backup_of_the_old_file_is_kept(file_context, tmp_path):
    file_context()
    path = tmp_path / "f"
    path.write_text("old\n")

    managed(str(path), contents="new", backup="minion")

    copies = list((tmp_path / "cache" / "file_backup").rglob("f_*"))
    assert [copy.read_text() for copy in copies] == ["old\n"]


def test_a_change_that_is_ignored_is_written_but_does_not_count(file_context, tmp_path):
    file_context()
    path = tmp_path / "f"
    path.write_text("a  # old\n")

    ret = managed(str(path), contents="a  # new", ignore_comment_characters="#")

    assert ret["skip_req"] is True
    assert path.read_text() == "a  # new\n"


def test_contents_come_from_pillar(file_context, tmp_path):
    def get(key, default=None, **options):
        return {"a:b": "from pillar"}.get(key, default)

    file_context(functions={"pillar.get": get})

    managed(str(tmp_path / "f"), contents_pillar="a:b")
    ret = managed(str(tmp_path / "g"), contents_pillar="a:c")

    assert (tmp_path / "f").read_text() == "from pillar\n"
    assert ret["comment"] == "Pillar a:c does not exist"


def test_a_plugin_that_fails_is_reported_in_the_comment(file_context, tmp_path):
    def broken(*args, **kwargs):
        raise CommandExecutionError("no cache here")

    file_context(functions={"file.get_managed": broken})

    ret = managed(str(tmp_path / "f"), source="salt://x")

    assert ret["comment"] == "Unable to manage file: no cache here"
