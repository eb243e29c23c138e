import os

from salt_g.states.file import absent, copy, exists, hardlink, missing, rename, symlink, touch


def test_a_link_is_made_kept_and_turned(file_context, tmp_path):
    file_context()
    link = tmp_path / "link"

    made = symlink(str(link), "one")
    kept = symlink(str(link), "one")
    turned = symlink(str(link), "two")

    assert made["changes"] == turned["changes"] == {"new": str(link)}
    assert kept["changes"] == {}
    assert os.readlink(link) == "two"


def test_a_file_where_the_link_should_be_is_an_error_unless_forced(file_context, tmp_path):
    file_context()
    path = tmp_path / "f"
    path.write_text("x")

    refused = symlink(str(path), "one")
    forced = symlink(str(path), "one", force=True)

    assert refused["comment"] == f"File exists where the symlink {path} should be"
    assert forced["result"] is True
    assert path.is_symlink()


def test_a_file_in_the_way_of_a_link_can_be_renamed(file_context, tmp_path):
    file_context()
    path = tmp_path / "f"
    path.write_text("x")

    symlink(str(path), "one", backupname="f.old")

    assert (tmp_path / "f.old").read_text() == "x"


def test_test_mode_says_what_would_become_of_the_link(file_context, tmp_path):
    file_context(test=True)
    (tmp_path / "link").symlink_to("one")

    turned = symlink(str(tmp_path / "link"), "two")
    new = symlink(str(tmp_path / "d" / "new"), "two", makedirs=True)

    assert turned["comment"] == f"Link {tmp_path / 'link'} target is set to be changed to two"
    assert new["comment"] == (
        f"Symlink {tmp_path / 'd' / 'new'} to two is set for creation\n{tmp_path / 'd'} will be created"
    )
    assert not (tmp_path / "d").exists()


def test_all_unknown_owners_are_named_at_once(file_context, tmp_path):
    file_context()

    ret = symlink("relative", "x", user="nobody here", group="no group here")

    assert ret["comment"] == (
        "User nobody here does not exist. Group no group here does not exist. "
        "Specified file relative is not an absolute path."
    )


def test_a_hard_link_shares_the_file(file_context, tmp_path):
    file_context()
    (tmp_path / "f").write_text("x")

    made = hardlink(str(tmp_path / "g"), str(tmp_path / "f"))
    again = hardlink(str(tmp_path / "g"), str(tmp_path / "f"))

    assert made["changes"] == {"new": str(tmp_path / "g")}
    assert again["changes"] == {}
    assert os.path.samefile(tmp_path / "f", tmp_path / "g")


def test_absent_removes_a_tree_and_reports_it_in_test_mode(file_context, tmp_path):
    tree = tmp_path / "d"
    (tree / "e").mkdir(parents=True)

    file_context(test=True)
    planned = absent(str(tree))
    file_context()
    done = absent(str(tree))

    assert planned["comment"] == f"Directory {tree} is set for removal"
    assert done["comment"] == f"Removed directory {tree}"
    assert planned["changes"] == done["changes"] == {"removed": str(tree)}
    assert not tree.exists()


def test_absent_removes_a_link_and_not_what_it_leads_to(file_context, tmp_path):
    file_context()
    (tmp_path / "d").mkdir()
    (tmp_path / "link").symlink_to("d")

    absent(str(tmp_path / "link"))

    assert (tmp_path / "d").is_dir()
    assert not (tmp_path / "link").is_symlink()


def test_the_root_is_never_removed(file_context):
    file_context(test=True)

    assert absent("/")["comment"] == 'Refusing to make "/" absent'


def test_exists_and_missing_are_opposites(file_context, tmp_path):
    file_context()

    assert exists(str(tmp_path))["result"] is True
    assert missing(str(tmp_path))["result"] is False


def test_copy_leaves_what_is_there_unless_forced(file_context, tmp_path):
    file_context()
    (tmp_path / "src").write_text("new")
    (tmp_path / "dst").write_text("old")

    kept = copy(str(tmp_path / "dst"), str(tmp_path / "src"))
    forced = copy(str(tmp_path / "dst"), str(tmp_path / "src"), force=True)

    assert kept["comment"] == f'The target file "{tmp_path / "dst"}" exists and will not be overwritten'
    assert forced["changes"] == {str(tmp_path / "dst"): str(tmp_path / "src")}
    assert (tmp_path / "dst").read_text() == "new"


def test_rename_is_content_when_the_source_is_gone(file_context, tmp_path):
    file_context()
    (tmp_path / "a").write_text("x")

    moved = rename(str(tmp_path / "b"), str(tmp_path / "a"))
    again = rename(str(tmp_path / "b"), str(tmp_path / "a"))

    assert moved["changes"] == {str(tmp_path / "b"): str(tmp_path / "a")}
    assert again["result"] is True
    assert again["changes"] == {}


def test_touch_sets_the_times_it_is_given(file_context, tmp_path):
    file_context()

    touch(str(tmp_path / "f"), atime=100, mtime="200")

    assert (tmp_path / "f").stat().st_mtime == 200
