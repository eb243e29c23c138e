"""Whole directory trees: change of owner, removal, walk, copy."""

import os

import pytest

from salt_g import safe_files

NOBODY, DAEMON = 65534, 1
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="makes files of several users")


def _owner(path):
    return os.lstat(path).st_uid


@needs_root
class TestTrees:
    def test_giving_follows_no_link_and_leaves_hard_links_alone(self, home, tmp_path):
        (home / "sub").mkdir()
        (home / "sub" / "file").write_text("")
        os.symlink(tmp_path / "root", home / "sub" / "link")
        os.link(tmp_path / "root" / "secret", home / "sub" / "hard")
        os.mkfifo(home / "sub" / "pipe")

        left = safe_files.give_tree(str(home), DAEMON, -1)

        assert left == [str(home / "sub" / "hard")]
        assert [_owner(home / name) for name in ("", "sub", "sub/file", "sub/link")] == [DAEMON] * 4
        for name in ("root", "root/secret", "home/sub/pipe"):
            assert _owner(tmp_path / name) == 0

    def test_removing_goes_no_further_than_a_link(self, home, tmp_path):
        (home / "sub").mkdir()
        os.symlink(tmp_path / "root", home / "sub" / "link")

        safe_files.remove(str(home / "sub"))

        assert not (home / "sub").exists()
        assert (tmp_path / "root" / "secret").exists()

    def test_removing_behind_a_users_link_is_refused(self, home, tmp_path, link):
        link(home / "dir", tmp_path)

        with pytest.raises(safe_files.UntrustedPath):
            safe_files.remove(str(home / "dir" / "root"))

        assert (tmp_path / "root" / "secret").exists()

    def test_walking_names_paths_as_they_were_asked_for(self, home):
        (home / "sub").mkdir()
        (home / "sub" / "file").write_text("")

        assert list(safe_files.walk(str(home))) == [
            (str(home), ["sub"], []), (str(home / "sub"), [], ["file"])
        ]  # fmt: skip

    def test_copying_reads_nothing_through_a_users_link(self, home, tmp_path, link):
        link(home / "x", tmp_path / "root" / "secret")

        with pytest.raises(safe_files.UntrustedPath):
            safe_files.copy_tree(str(home), str(tmp_path / "copy"))


class TestPlainTrees:
    """Trees that no user may tamper with."""

    @pytest.fixture
    def tree(self, tmp_path):
        """Return a tree: `a/b/file`, and links to a file and a directory beside it."""
        top = tmp_path / "a"
        (top / "b").mkdir(parents=True)
        (top / "b" / "file").write_text("text")
        (tmp_path / "beside").mkdir()
        (tmp_path / "beside" / "other").write_text("other")
        os.symlink("../beside", top / "to-dir")
        os.symlink("../beside/other", top / "to-file")
        return top

    def test_a_walk_lists_links_and_enters_none(self, tree):
        levels = {folder: (sorted(folders), names) for folder, folders, names in safe_files.walk(str(tree))}

        assert levels == {str(tree): (["b", "to-dir"], ["to-file"]), str(tree / "b"): ([], ["file"])}

    def test_a_walk_may_end_at_the_top(self, tree):
        folders = [folder for folder, _, _ in safe_files.walk(str(tree), topdown=False)]

        assert folders == [str(tree / "b"), str(tree)]

    def test_folders_taken_off_the_list_are_not_walked(self, tree):
        walked = []
        for folder, folders, _ in safe_files.walk(str(tree)):
            walked.append(folder)
            folders.clear()

        assert walked == [str(tree)]

    def test_there_is_nothing_to_walk_in_a_file_or_nowhere(self, tree):
        assert list(safe_files.walk(str(tree / "b" / "file"))) == []
        assert list(safe_files.walk(str(tree / "no"))) == []

    def test_a_link_is_removed_and_what_it_leads_to_stays(self, tree, tmp_path):
        safe_files.remove(str(tree / "to-dir"))
        safe_files.remove(str(tree / "to-file"))
        safe_files.remove(f"{tree}/b/")

        assert os.listdir(tree) == []
        assert (tmp_path / "beside" / "other").read_text() == "other"

    def test_a_missing_tree_is_an_error_with_the_path_that_was_asked_for(self, tree):
        for act in (safe_files.remove, safe_files.remove_tree):
            with pytest.raises(FileNotFoundError) as missing:
                act(str(tree / "no"))
            assert missing.value.filename == str(tree / "no")
        safe_files.remove_tree(str(tree / "no"), ignore_errors=True)

    def test_only_directories_are_removed_as_trees(self, tree, tmp_path):
        for name in ("b/file", "to-dir"):
            with pytest.raises(OSError):
                safe_files.remove_tree(str(tree / name))
        safe_files.remove_tree(str(tree))

        assert not tree.exists()
        assert os.listdir(tmp_path / "beside") == ["other"]

    def test_a_copy_has_links_or_their_targets(self, tree, tmp_path):
        safe_files.copy_tree(str(tree), str(tmp_path / "links"), symlinks=True)
        safe_files.copy_tree(str(tree), str(tmp_path / "targets"))

        assert os.readlink(tmp_path / "links" / "to-dir") == "../beside"
        assert not (tmp_path / "targets" / "to-dir").is_symlink()
        assert (tmp_path / "targets" / "to-dir" / "other").read_text() == "other"
        assert (tmp_path / "targets" / "b" / "file").read_text() == "text"
        with pytest.raises(FileExistsError):
            safe_files.copy_tree(str(tree), str(tmp_path / "links"))

    def test_copying_over_a_tree_keeps_what_is_there_and_gives_new_directories_their_mode(
        self, tree, tmp_path
    ):
        os.chmod(tree / "b", 0o750)
        (tmp_path / "over" / "kept").mkdir(parents=True)
        os.chmod(tmp_path / "over", 0o711)
        (tmp_path / "over" / "to-file").write_text("a longer text than the new one")

        safe_files.copy_into(str(tree), str(tmp_path / "over"))

        over = tmp_path / "over"
        assert sorted(os.listdir(over)) == ["b", "kept", "to-dir", "to-file"]
        assert (over / "to-file").read_text() == (over / "to-dir" / "other").read_text() == "other"
        assert [path.stat().st_mode & 0o777 for path in (over, over / "b")] == [0o711, 0o750]

    def test_a_tree_is_not_copied_into_itself(self, tree):
        with pytest.raises(OSError, match="cannot be copied into itself"):
            safe_files.copy_tree(str(tree), str(tree / "b" / "copy"))

        assert not (tree / "b" / "copy").exists()
