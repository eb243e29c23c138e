"""Links that root follows, and hard links that it changes."""

import os
import stat

import pytest

from salt_g import safe_files

NOBODY, DAEMON = 65534, 1
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="makes files of several users")


def _owner(path):
    return os.lstat(path).st_uid


@needs_root
class TestRules:
    def test_a_users_link_to_what_is_roots_is_refused_with_its_name(self, home, tmp_path, link):
        link(home / "x", tmp_path / "root" / "secret")

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
    def test_nothing_happens_behind_a_link_of_a_directory(self, home, tmp_path, act, link):
        link(home / "dir", tmp_path / "root")

        with pytest.raises(safe_files.UntrustedPath):
            act(str(home / "dir" / "secret"))

        found = os.stat(tmp_path / "root" / "secret")
        assert (found.st_uid, stat.S_IMODE(found.st_mode), found.st_size) == (0, 0o600, 6)

    def test_a_chain_is_judged_by_each_of_its_links(self, home, tmp_path, link):
        link(home / "last", tmp_path / "root")
        link(tmp_path / "first", home / "last", uid=0)

        with pytest.raises(safe_files.UntrustedPath):
            safe_files.check(str(tmp_path / "first" / "secret"))

    def test_a_link_to_what_is_missing_counts_for_the_directory(self, home, tmp_path, link):
        link(home / "new", tmp_path / "root" / "new")
        link(home / "deep", tmp_path / "root")

        for path in (home / "new", home / "deep" / "a" / "b"):
            with pytest.raises(safe_files.UntrustedPath):
                safe_files.check(str(path))

    def test_links_of_root_and_of_the_targets_owner_are_followed(self, home, link):
        (home / "site").mkdir()
        os.chown(home / "site", NOBODY, -1)
        link(home / "mine", "site")
        link(home / "roots", home / "site", uid=0)

        for name in ("mine", "roots"):
            with open(home / name / "index", "w", opener=safe_files.opener) as file:
                file.write(name)
            assert (home / "site" / "index").read_text() == name

    def test_the_directory_is_the_same_whichever_way_the_path_leads_there(self, home, link):
        (home / "a" / "b").mkdir(parents=True)
        os.chown(home / "a" / "b", NOBODY, -1)
        link(home / "short", "a/b")
        expected = os.stat(home / "a" / "b").st_ino

        for path in ("a/b/x", "a//b/x", "./a/b/x", "a/../a/b/x", "short/x"):
            with safe_files.located(f"{home}/{path}") as place:
                assert os.fstat(place.parent).st_ino == expected, path

    def test_a_path_without_links_is_that_of_realpath(self, home, link):
        (home / "a" / "b").mkdir(parents=True)
        link(home / "a" / "short", "b", uid=0)

        for path in (
            "a/b",
            "a/b/x",
            "a/short",
            "a/short/x",
            "a//b",
            "a/b/",
            "a/b/../b",
            "no/such",
            "a/b/x/y",
        ):
            assert safe_files.resolved(f"{home}/{path}") == os.path.realpath(f"{home}/{path}"), path

    def test_dots_leave_a_link_the_way_the_kernel_does(self, home, tmp_path, link):
        link(home / "up", "../root/..")

        with pytest.raises(safe_files.UntrustedPath):
            safe_files.check(str(home / "up" / "root" / "secret"))

    def test_another_user_than_root_follows_all(self, home, tmp_path, monkeypatch, link):
        link(home / "x", tmp_path / "root" / "secret")
        monkeypatch.setattr(os, "geteuid", lambda: 1000)

        assert safe_files.resolved(str(home / "x")) == str(tmp_path / "root" / "secret")

    def test_a_circle_ends(self, home, link):
        link(home / "a", "b")
        link(home / "b", "a")

        with pytest.raises(OSError, match="symbolic links"):
            safe_files.check(str(home / "a"))


@needs_root
class TestSwaps:
    def test_a_directory_that_becomes_a_link_later_leads_nowhere(self, home, tmp_path, link):
        (home / "dir").mkdir()
        with safe_files.located(str(home / "dir" / "secret"), follow=False) as place:
            os.rename(home / "dir", home / "gone")
            link(home / "dir", tmp_path / "root")
            descriptor, name = safe_files.temporary_file(place)
            os.close(descriptor)

        assert os.listdir(home / "gone") == [name]
        assert os.listdir(tmp_path / "root") == ["secret"]

    def test_an_entry_that_becomes_a_link_is_not_opened(self, home, tmp_path, link):
        (home / "x").write_text("")
        with safe_files.located(str(home / "x")) as place:
            os.unlink(home / "x")
            link(home / "x", tmp_path / "root" / "secret")
            from salt_g.safe_files.entries import open_at

            with pytest.raises(OSError):
                open_at(place, os.O_WRONLY | os.O_TRUNC)

        assert (tmp_path / "root" / "secret").read_text() == "secret"

    def test_proc_links_are_followed_as_the_kernel_does(self):
        assert safe_files.resolved(f"/proc/{os.getpid()}/root/etc") == os.path.realpath("/etc")
        with safe_files.located(f"/proc/{os.getpid()}/root/etc/passwd") as place:
            assert os.path.samestat(place.found, os.stat("/etc/passwd"))


@needs_root
@pytest.mark.parametrize(
    ("owner", "mode", "keeps"),
    [(0, 0o755, True), (0, 0o1777, True), (0, 0o777, False), (NOBODY, 0o700, False), (NOBODY, 0o1777, False)],
)
def test_a_directory_keeps_files_unless_others_may_replace_them(tmp_path, owner, mode, keeps):
    (tmp_path / "x").mkdir()
    os.chown(tmp_path / "x", owner, 0)
    (tmp_path / "x").chmod(mode)

    assert safe_files.keeps_files(str(tmp_path / "x")) is keeps


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
            lambda: safe_files.check_for_program(hard),
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

    def test_a_program_may_make_what_is_missing(self, home):
        safe_files.check_for_program(str(home / "new" / "file"))

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


def _descriptors():
    return sorted(os.listdir("/proc/self/fd"))


class TestPlaces:
    """Entries at the end of a path, for any user."""

    def test_a_link_at_the_end_is_followed_unless_it_is_asked_for(self, tmp_path):
        (tmp_path / "dir").mkdir()
        os.symlink("dir", tmp_path / "to")

        with safe_files.located(tmp_path / "to", follow=False) as place:
            assert (place.name, place.is_link, place.is_directory) == ("to", True, False)
        for path in (f"{tmp_path}/to", f"{tmp_path}/to/"):
            with safe_files.located(path) as place:
                assert (place.is_link, place.is_directory) == (False, True)
        with safe_files.located(f"{tmp_path}/to/", follow=False) as place:
            assert place.is_directory

    def test_a_missing_entry_has_a_place_and_a_missing_directory_has_none(self, tmp_path):
        with safe_files.located(tmp_path / "new") as place:
            assert (place.name, place.found, place.is_taken()) == ("new", None, False)
            (tmp_path / "new").write_text("made meanwhile")
            assert place.is_taken()

        with pytest.raises(FileNotFoundError) as missing, safe_files.located(tmp_path / "no" / "x"):
            pass
        assert missing.value.filename == str(tmp_path / "no" / "x")

    def test_a_dangling_link_leads_to_where_its_target_would_be(self, tmp_path):
        (tmp_path / "dir").mkdir()
        os.symlink("dir/target", tmp_path / "to")

        with safe_files.located(tmp_path / "to") as place:
            (tmp_path / "dir" / "target").write_text("there")
            with open(place.pinned) as file:
                assert file.read() == "there"

    def test_names_through_the_descriptor_stay_with_a_directory_that_is_moved(self, tmp_path):
        (tmp_path / "dir").mkdir()
        with safe_files.located(tmp_path / "dir" / "a") as place:
            os.rename(tmp_path / "dir", tmp_path / "moved")
            with open(place.beside("b"), "w") as file:
                file.write("b")

        assert (tmp_path / "moved" / "b").read_text() == "b"

    @pytest.mark.parametrize("path", ["", "file/x", "file/.."])
    def test_a_path_without_a_place_leaves_no_descriptor_open(self, tmp_path, monkeypatch, path):
        (tmp_path / "file").write_text("")
        monkeypatch.chdir(tmp_path)
        before = _descriptors()

        with pytest.raises((FileNotFoundError, NotADirectoryError)), safe_files.located(path):
            pass

        assert _descriptors() == before

    def test_links_are_counted_as_the_kernel_counts_them(self, tmp_path):
        (tmp_path / "0").write_text("end")
        for number in range(1, 42):
            os.symlink(str(number - 1), tmp_path / str(number))

        with safe_files.located(tmp_path / "40") as place:
            assert place.name == "0"
        with pytest.raises(OSError, match="symbolic links"), safe_files.located(tmp_path / "41"):
            pass

    def test_checking_ignores_what_is_missing(self, tmp_path):
        (tmp_path / "file").write_text("")

        for path in ("no/x", "file/x", "no"):
            safe_files.check(tmp_path / path)

    def test_the_root_and_dots_are_directories(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        (tmp_path / "dir").mkdir()
        for path, same in (("/", "/"), (".", tmp_path), ("dir/..", tmp_path), ("dir/./", tmp_path / "dir")):
            with safe_files.located(path) as place:
                assert os.path.samestat(place.found, os.stat(same))


class TestRealPath:
    @pytest.mark.parametrize(
        "path",
        ["file", "chain/file", "chain/../d/file", "dangling", "missing/x", "d/", "name (deleted)", "loop"],
    )
    def test_it_is_that_of_the_library(self, tmp_path, path):
        (tmp_path / "d").mkdir()
        for name in ("file", "d/file", "name (deleted)"):
            (tmp_path / name).write_text("x")
        for name, target in {"chain": "one", "one": "d", "dangling": "nothing", "loop": "loop"}.items():
            (tmp_path / name).symlink_to(target)

        assert safe_files.real_path(f"{tmp_path}/{path}") == os.path.realpath(f"{tmp_path}/{path}")

    def test_it_leaves_no_descriptor_open(self, tmp_path):
        before = os.listdir("/proc/self/fd")
        safe_files.real_path(str(tmp_path))
        assert os.listdir("/proc/self/fd") == before
