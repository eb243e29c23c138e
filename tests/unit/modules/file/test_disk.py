import os
import stat

import pytest

from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.files.client import LocalFileClient
from salt_g.modules import file


@pytest.fixture
def two_files(tmp_path):
    """The paths of two files that differ in one line."""
    paths = [tmp_path / "old", tmp_path / "new"]
    for path in paths:
        path.write_text(f"{path.name}\n")
    return [str(path) for path in paths]


@pytest.fixture
def context(call_context, tmp_path):
    opts = {"cachedir": str(tmp_path / "cache"), "file_roots": {"base": [str(tmp_path)]}}
    return call_context(opts=opts, files=LocalFileClient(opts))


def test_stats_report_what_a_path_is(context, tmp_path):
    (tmp_path / "f").write_text("hello")
    (tmp_path / "f").chmod(0o640)

    stats = file.stats(str(tmp_path / "f"), "md5")

    assert (stats["type"], stats["size"], stats["mode"]) == ("file", 5, "0640")
    assert stats["sum"] == "5d41402abc4b2a76b9719d911017c592"
    with pytest.raises(CommandExecutionError, match="Path not found: /no/such"):
        file.stats("/no/such")


def test_a_link_that_leads_nowhere_is_described_itself(context, tmp_path):
    (tmp_path / "link").symlink_to("nowhere")

    assert file.stats(str(tmp_path / "link"))["type"] == "link"


def test_check_perms_sets_what_differs_and_reports_what_was(context, tmp_path):
    path = tmp_path / "f"
    path.write_text("x")
    path.chmod(0o600)

    ret, before = file.check_perms(str(path), None, None, None, "0644")

    assert ret["changes"] == {"mode": "0644"}
    assert before["lmode"] == "0600"
    assert file.get_mode(str(path)) == "0644"


def test_check_perms_in_test_mode_only_reports(call_context, tmp_path):
    call_context(opts={"test": True})
    path = tmp_path / "f"
    path.write_text("x")
    path.chmod(0o600)

    ret, _ = file.check_perms(str(path), None, None, None, "0644")

    assert (ret["result"], ret["changes"]) == (None, {"mode": "0644"})
    assert file.get_mode(str(path)) == "0600"


@pytest.mark.skipif(os.geteuid() != 0, reason="changing owners needs root")
def test_a_file_that_changes_hands_keeps_its_setuid_bit(context, tmp_path):
    path = tmp_path / "f"
    path.write_text("x")
    path.chmod(0o4755)

    ret, _ = file.check_perms(str(path), None, 65534, 65534, None)

    assert ret["changes"] == {"user": 65534, "group": 65534}
    assert stat.S_IMODE(path.stat().st_mode) == 0o4755


def test_an_unknown_owner_is_a_failure_with_both_reasons(context, tmp_path):
    path = tmp_path / "f"
    path.write_text("x")

    ret, _ = file.check_perms(str(path), None, "no such user", None, None)

    assert ret["result"] is False
    assert "User does not exist" in ret["comment"]
    assert "Failed to change user to no such user" in ret["comment"]


def test_makedirs_makes_all_but_the_last_part(context, tmp_path):
    assert file.makedirs(str(tmp_path / "a" / "b" / "c"), mode="0750") is None
    assert (
        file.makedirs(str(tmp_path / "a" / "b" / "c")) == f"Directory '{tmp_path / 'a' / 'b'}' already exists"
    )
    assert file.get_mode(str(tmp_path / "a")) == "0750"
    assert not (tmp_path / "a" / "b" / "c").exists()


def test_remove_takes_files_links_and_trees(context, tmp_path):
    (tmp_path / "d" / "e").mkdir(parents=True)
    (tmp_path / "link").symlink_to("d")

    assert file.remove(str(tmp_path / "link")) is True
    assert (tmp_path / "d").is_dir()
    assert file.remove(str(tmp_path / "d")) is True
    assert file.remove(str(tmp_path / "d")) is False
    with pytest.raises(InvocationError):
        file.remove("relative")


def test_symlink_does_not_replace_by_default(context, tmp_path):
    path = tmp_path / "l"
    path.symlink_to("one")

    assert file.symlink("one", str(path)) is True
    with pytest.raises(CommandExecutionError, match="Found existing symlink"):
        file.symlink("two", str(path))
    assert file.symlink("two", str(path), atomic=True) is True
    assert file.readlink(str(path)) == "two"


def test_hashes_are_checked_by_name_or_length(context, tmp_path):
    path = tmp_path / "f"
    path.write_text("hello")

    assert file.check_hash(str(path), "md5:5d41402abc4b2a76b9719d911017c592") is True
    assert file.check_hash(str(path), "5d41402abc4b2a76b9719d911017c592") is True
    assert file.check_hash(str(path), "md5=" + "0" * 32) is False
    with pytest.raises(InvocationError, match=r"length: 3"):
        file.check_hash(str(path), "abc")


def test_source_sums_come_from_hashes_and_from_files_of_hashes(context, tmp_path):
    digest = "5d41402abc4b2a76b9719d911017c592"
    (tmp_path / "sums").write_text(f"{'0' * 32}  other\n{digest}  app.tgz\n")

    stated = file.get_source_sum(source_hash=f"md5={digest.upper()}")
    listed = file.get_source_sum("/opt/app.tgz", "http://host/app.tgz", str(tmp_path / "sums"))
    served = file.get_source_sum("/opt/app.tgz", "", "salt://sums")

    assert stated == listed == served == {"hash_type": "md5", "hsum": digest}
    with pytest.raises(CommandExecutionError, match="format is invalid"):
        file.get_source_sum(source_hash="rubbish")


@pytest.mark.parametrize("is_local", [True, False])
def test_the_signature_of_a_file_of_hashes_is_verified_wherever_the_file_is(
    context, tmp_path, monkeypatch, is_local
):
    def refuse(path, signature, *args, **signers):
        raise CommandExecutionError(f"{signature} does not sign it")

    monkeypatch.setattr("salt_g.modules.file.source_sums.check_signature", refuse)
    (tmp_path / "sums").write_text(f"{'0' * 32}  app.tgz\n")
    sums = str(tmp_path / "sums") if is_local else "salt://sums"

    with pytest.raises(CommandExecutionError, match="/sums.asc does not sign it"):
        file.get_source_sum("app.tgz", source_hash=sums, source_hash_sig="/sums.asc")


def test_old_versions_are_listed_restored_and_removed(context, tmp_path):
    from salt_g.modules.file.backups import backup_root
    from salt_g.process.old_versions import keep_old_version

    path = tmp_path / "f"
    path.write_text("first")
    keep_old_version(str(path), backup_root())
    path.write_text("second")

    assert [version["Size"] for version in file.list_backups(str(path)).values()] == [5]
    assert file.restore_backup(str(path), 0)["result"] is True
    assert path.read_text() == "first"
    assert len(file.list_backups(str(path))) == 2
    assert file.delete_backup(str(path), "0")["result"] is True
    assert file.restore_backup(str(path), "7")["comment"] == f"backup_id '7' does not exist for {path}"
    assert file.restore_backup(str(path), "x")["comment"] == "Invalid backup_id 'x'"


def test_old_versions_in_a_directory_are_listed_by_the_whole_names_of_their_files(context, tmp_path):
    from salt_g.modules.file.backups import backup_root
    from salt_g.process.old_versions import keep_old_version

    for name in ("app", "app_main.conf", "__", "sub_dir/f"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(name)
        keep_old_version(str(path), backup_root())

    listed = file.list_backups_dir(f"{tmp_path}/")

    sizes = {name: [each["Size"] for each in versions.values()] for name, versions in listed.items()}
    assert sizes == {
        "app": [3],
        "app_main.conf": [13],
        "__": [2],
        "sub_dir": [],
    }


def test_a_diff_names_binary_files(context, tmp_path):
    (tmp_path / "a").write_bytes(b"\0\1")
    (tmp_path / "b").write_text("text\n")

    assert file.get_diff(str(tmp_path / "a"), str(tmp_path / "b")) == "Replace binary file with text file"
    assert file.get_diff(str(tmp_path / "a"), str(tmp_path / "a")) == ""
    with pytest.raises(CommandExecutionError, match="Failed to cache one or more files"):
        file.get_diff(str(tmp_path / "a"), "salt://none")


def test_directories_are_removed_only_when_empty(context, tmp_path):
    (tmp_path / "d" / "empty").mkdir(parents=True)
    (tmp_path / "d" / "full").mkdir()
    (tmp_path / "d" / "full" / "f").write_text("x")

    done = file.rmdir(str(tmp_path / "d"), recurse=True, verbose=True)

    assert done["deleted"] == [str(tmp_path / "d" / "empty")]
    assert done["result"] is False
    assert len(done["errors"]) == 2


def test_a_large_file_is_compared_without_being_read_whole(context, tmp_path):
    import tracemalloc

    from salt_g.modules.file.content import Content

    for name in ("a", "b"):
        with open(tmp_path / name, "wb") as sparse:
            sparse.truncate(12 << 20)
    tracemalloc.start()
    same = Content(path=str(tmp_path / "a")).is_in(str(tmp_path / "b"))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert same is True
    assert peak < 5 << 20


@pytest.mark.parametrize("atomic", [True, False])
def test_a_link_that_cannot_be_made_says_why(context, tmp_path, atomic):
    with pytest.raises(CommandExecutionError, match="Could not create '.*/nowhere/link': .*No such file"):
        file.symlink(str(tmp_path), str(tmp_path / "nowhere" / "link"), atomic=atomic)


def test_obfuscated_templates_hide_the_diff_of_templates_only(context, two_files):
    context.opts["obfuscate_templates"] = True

    assert file.get_diff(*two_files, show_filenames=False) == "--- \n+++ \n@@ -1 +1 @@\n-old\n+new\n"
    assert file.get_diff(*two_files, template=True) == "<Obfuscated Template>"
    assert file.get_diff(*two_files, show_changes=False) == "<show_changes=False>"
