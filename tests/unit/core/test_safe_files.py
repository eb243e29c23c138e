"""Links and hard links of users do not lead root astray."""

import os
import stat

import pytest

from salt_g import safe_files

NOBODY, DAEMON = 65534, 1
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="makes files of several users")


@pytest.fixture
def home(tmp_path):
    """A directory of nobody beside files of root."""
    os.chmod(tmp_path, 0o755)
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "secret").write_text("secret")
    os.chmod(tmp_path / "root" / "secret", 0o600)
    home = tmp_path / "home"
    home.mkdir()
    os.chown(home, NOBODY, -1)
    return home


def _link(path, target, uid=NOBODY):
    os.symlink(target, path)
    os.lchown(path, uid, -1)


def _owner(path):
    return os.lstat(path).st_uid


@needs_root
class TestLinks:
    def test_a_users_link_to_what_is_roots_is_refused_with_its_name(self, home, tmp_path):
        _link(home / "x", tmp_path / "root" / "secret")

        with pytest.raises(safe_files.UntrustedPath) as refused:
            safe_files.check(str(home / "x"))

        for word in (str(home / "x"), "nobody", "root", "remove the link"):
            assert word in str(refused.value)

    @pytest.mark.parametrize(
        "act",
        [
            lambda path: safe_files.change_owner(path, NOBODY, -1),
            lambda path: safe_files.change_mode(path, 0o666),
            lambda path: os.close(safe_files.open_file(path, os.O_WRONLY | os.O_TRUNC)),
            lambda path: open(path, "w", opener=safe_files.opener).close(),
        ],
    )
    def test_nothing_happens_behind_a_link_of_a_directory(self, home, tmp_path, act):
        _link(home / "dir", tmp_path / "root")

        with pytest.raises(safe_files.UntrustedPath):
            act(str(home / "dir" / "secret"))

        found = os.stat(tmp_path / "root" / "secret")
        assert (found.st_uid, stat.S_IMODE(found.st_mode), found.st_size) == (0, 0o600, 6)

    def test_a_chain_is_judged_by_each_of_its_links(self, home, tmp_path):
        _link(home / "last", tmp_path / "root")
        _link(tmp_path / "first", home / "last", uid=0)

        with pytest.raises(safe_files.UntrustedPath):
            safe_files.check(str(tmp_path / "first" / "secret"))

    def test_a_link_to_what_is_missing_counts_for_the_directory(self, home, tmp_path):
        _link(home / "new", tmp_path / "root" / "new")
        _link(home / "deep", tmp_path / "root")

        for path in (home / "new", home / "deep" / "a" / "b"):
            with pytest.raises(safe_files.UntrustedPath):
                safe_files.check(str(path))

    def test_links_of_root_and_of_the_targets_owner_are_followed(self, home):
        (home / "site").mkdir()
        os.chown(home / "site", NOBODY, -1)
        _link(home / "mine", "site")
        _link(home / "roots", home / "site", uid=0)

        for name in ("mine", "roots"):
            with open(home / name / "index", "w", opener=safe_files.opener) as file:
                file.write(name)
            assert (home / "site" / "index").read_text() == name

    def test_dots_leave_a_link_the_way_the_kernel_does(self, home, tmp_path):
        _link(home / "up", "../root/..")

        with pytest.raises(safe_files.UntrustedPath):
            safe_files.check(str(home / "up" / "root" / "secret"))

    def test_another_user_than_root_follows_all(self, home, tmp_path, monkeypatch):
        _link(home / "x", tmp_path / "root" / "secret")
        monkeypatch.setattr(os, "geteuid", lambda: 1000)

        assert safe_files.resolved(str(home / "x")) == str(tmp_path / "root" / "secret")

    def test_a_circle_ends(self, home):
        _link(home / "a", "b")
        _link(home / "b", "a")

        with pytest.raises(OSError, match="symbolic links"):
            safe_files.check(str(home / "a"))


@needs_root
class TestSwaps:
    def test_a_directory_that_becomes_a_link_later_leads_nowhere(self, home, tmp_path):
        (home / "dir").mkdir()
        with safe_files.located(str(home / "dir" / "secret"), follow=False) as place:
            os.rename(home / "dir", home / "gone")
            _link(home / "dir", tmp_path / "root")
            descriptor, name = safe_files.temporary_file(place)
            os.close(descriptor)

        assert os.listdir(home / "gone") == [name]
        assert os.listdir(tmp_path / "root") == ["secret"]

    def test_an_entry_that_becomes_a_link_is_not_opened(self, home, tmp_path):
        (home / "x").write_text("")
        with safe_files.located(str(home / "x")) as place:
            os.unlink(home / "x")
            _link(home / "x", tmp_path / "root" / "secret")
            from salt_g.safe_files.entries import open_at

            with pytest.raises(OSError):
                open_at(place, os.O_WRONLY | os.O_TRUNC)

        assert (tmp_path / "root" / "secret").read_text() == "secret"

    def test_proc_links_are_followed_as_the_kernel_does(self):
        assert safe_files.resolved(f"/proc/{os.getpid()}/root/etc") == os.path.realpath("/etc")
        with safe_files.located(f"/proc/{os.getpid()}/root/etc/passwd") as place:
            assert os.path.samestat(place.found, os.stat("/etc/passwd"))


@needs_root
class TestHardLinks:
    @pytest.fixture
    def hard(self, home, tmp_path):
        os.link(tmp_path / "root" / "secret", home / "hard")
        return str(home / "hard")

    def test_a_file_of_root_stays_as_it_is(self, hard, tmp_path):
        for act in (
            lambda: safe_files.change_owner(hard, NOBODY, -1),
            lambda: safe_files.change_mode(hard, 0o666),
            lambda: safe_files.open_file(hard, os.O_WRONLY | os.O_TRUNC),
        ):
            with pytest.raises(safe_files.UntrustedPath, match="hard links"):
                act()

        found = os.stat(tmp_path / "root" / "secret")
        assert (found.st_uid, stat.S_IMODE(found.st_mode), found.st_size) == (0, 0o600, 6)

    def test_the_owners_own_file_may_have_them(self, home):
        (home / "a").write_text("")
        os.chown(home / "a", NOBODY, -1)
        os.link(home / "a", home / "b")

        safe_files.change_owner(str(home / "b"), DAEMON, -1)

        assert _owner(home / "a") == DAEMON

    def test_in_directories_of_root_alone_they_are_ordinary(self, tmp_path):
        (tmp_path / "a").write_text("")
        os.link(tmp_path / "a", tmp_path / "b")

        safe_files.change_owner(str(tmp_path / "b"), DAEMON, -1)

        assert _owner(tmp_path / "a") == DAEMON

    def test_a_pipe_of_a_user_does_not_stop_root(self, home):
        os.mkfifo(home / "pipe")

        with pytest.raises(OSError):
            safe_files.open_file(str(home / "pipe"), os.O_WRONLY)
        with pytest.raises(safe_files.UntrustedPath, match="not a regular file"):
            safe_files.open_file(str(home / "pipe"), os.O_RDONLY)


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

    def test_removing_behind_a_users_link_is_refused(self, home, tmp_path):
        _link(home / "dir", tmp_path)

        with pytest.raises(safe_files.UntrustedPath):
            safe_files.remove(str(home / "dir" / "root"))

        assert (tmp_path / "root" / "secret").exists()

    def test_walking_names_paths_as_they_were_asked_for(self, home):
        (home / "sub").mkdir()
        (home / "sub" / "file").write_text("")

        assert list(safe_files.walk(str(home))) == [
            (str(home), ["sub"], []), (str(home / "sub"), [], ["file"])
        ]  # fmt: skip

    def test_copying_reads_nothing_through_a_users_link(self, home, tmp_path):
        _link(home / "x", tmp_path / "root" / "secret")

        with pytest.raises(safe_files.UntrustedPath):
            safe_files.copy_tree(str(home), str(tmp_path / "copy"))


class TestPlainCalls:
    """What nobody may tamper with works as with the plain calls of `os`."""

    def test_errors_are_those_of_the_plain_call_with_the_path(self, tmp_path):
        path = str(tmp_path / "no" / "file")

        with pytest.raises(FileNotFoundError) as missing:
            safe_files.open_file(path, os.O_WRONLY | os.O_CREAT)

        assert missing.value.filename == path

    def test_directories_are_made_with_their_parents(self, tmp_path):
        safe_files.make_directories(str(tmp_path / "a" / "b"), 0o700)
        safe_files.make_directories(str(tmp_path / "a" / "b"))

        assert stat.S_IMODE((tmp_path / "a" / "b").stat().st_mode) == 0o700
        assert stat.S_IMODE((tmp_path / "a").stat().st_mode) != 0o700
        with pytest.raises(FileExistsError):
            safe_files.make_directory(str(tmp_path / "a"))

    def test_relative_paths_count_from_here(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        os.close(safe_files.open_file("here", os.O_WRONLY | os.O_CREAT))

        assert (tmp_path / "here").exists()

    def test_moving_renames_or_goes_into_a_directory(self, tmp_path):
        (tmp_path / "a").write_text("a")
        (tmp_path / "dir").mkdir()
        safe_files.move(str(tmp_path / "a"), str(tmp_path / "b"))
        safe_files.move(str(tmp_path / "b"), str(tmp_path / "dir"))

        assert (tmp_path / "dir" / "b").read_text() == "a"

    def test_a_link_is_made_renamed_and_removed(self, tmp_path):
        safe_files.symlink("nowhere", str(tmp_path / "a"))
        safe_files.rename(str(tmp_path / "a"), str(tmp_path / "b"))
        assert os.readlink(tmp_path / "b") == "nowhere"
        safe_files.remove_file(str(tmp_path / "b"))
        assert not os.path.lexists(tmp_path / "b")
