"""Dependencies between chunks that change the same thing, by arguments and changes."""

import pytest

from salt_g.state.plan.earlier_changes import EarlierChanges


@pytest.fixture
def after(tmp_path):
    """Return the ids on which the last of some chunks (id, function, arguments, changes) depends."""

    def run(*chunks, needs=None, is_known=False, is_local=True):
        earlier = EarlierChanges(needs or {}, is_local=is_local)
        for id, function, arguments, changes in chunks:
            state, _, fun = function.partition(".")
            low = {"state": state, "fun": fun, "__id__": id, "name": str(tmp_path / id), **arguments}
            found = earlier.shared_with(id, low, is_known=is_known) or earlier.required_by(id)
            earlier.add(id, low, {"name": id, "result": None, "changes": changes, "comment": ""})
        return found

    return run


NEW = {"newfile": "x"}


def managed(path, **arguments):
    return "file.managed", {"name": str(path), **arguments}, NEW


def test_the_same_path_is_shared_and_another_is_not(after, tmp_path):
    first = ("a", *managed(tmp_path / "f"))

    assert after(first, ("b", "file.append", {"name": f"{tmp_path}/./f"}, {})) == ["a"]
    assert after(first, ("b", "file.append", {"name": f"{tmp_path}/g"}, {})) == []
    assert after(("a", *managed(tmp_path / "f"))) == []


def test_a_path_is_shared_through_links_that_are_there_or_would_be(after, tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    first = ("a", *managed(tmp_path / "real" / "f"))

    assert after(first, ("b", *managed(tmp_path / "link" / "f"))) == ["a"]
    new = ("c", "file.symlink", {"name": f"{tmp_path}/new", "target": "real"}, {"new": f"{tmp_path}/new"})
    assert after(new, ("b", *managed(tmp_path / "new" / "f"))) == ["c"]
    assert after(new, ("b", *managed(tmp_path / "real" / "f"))) == ["c"]


def test_a_source_that_an_earlier_state_writes_is_shared_and_one_that_it_reads_is_not(after, tmp_path):
    source = str(tmp_path / "source")

    assert after(("a", *managed(source)), ("b", "file.copy", {"source": source}, {})) == ["a"]
    copies = ("a", "file.copy", {"source": source}, {})
    assert after(copies, ("b", *managed(source))) == []
    assert after(("a", "file.rename", {"source": source}, {}), ("b", *managed(source))) == ["a"]


def test_paths_below_one_that_appears_or_disappears_are_shared(after, tmp_path):
    (tmp_path / "d").mkdir()
    below = ("b", *managed(tmp_path / "d" / "f"))
    gone = ("a", "file.absent", {"name": f"{tmp_path}/d"}, {"removed": f"{tmp_path}/d"})
    mode = ("a", "file.directory", {"name": f"{tmp_path}/d"}, {f"{tmp_path}/d": {"mode": "0711"}})
    cleaned = {f"{tmp_path}/d/f": {"removed": "Removed due to clean"}}

    assert after(gone, below) == ["a"]
    assert after(mode, below) == []
    assert after(("a", "file.directory", {"name": f"{tmp_path}/d"}, cleaned), below) == ["a"]


def test_a_new_directory_counts_for_what_is_not_known_only(after, tmp_path):
    path = f"{tmp_path}/new"
    new = ("a", "file.directory", {"name": path}, {path: {"directory": "new"}})
    below = ("b", *managed(f"{path}/f"))

    assert after(new, below) == ["a"]
    assert after(new, below, is_known=True) == []
    assert after(("a", *managed(f"{path}/x/f")), ("b", "file.directory", {"name": path}, {})) == ["a"]


@pytest.mark.parametrize(
    ("function", "arguments", "is_shared"),
    [
        ("file.absent", {}, True),
        ("file.directory", {"clean": True}, True),
        ("file.directory", {"recurse": ["mode"]}, True),
        ("file.directory", {"mode": "0711"}, False),
    ],
)
def test_a_walk_through_a_tree_depends_on_all_paths_below_it(after, tmp_path, function, arguments, is_shared):
    (tmp_path / "d").mkdir()
    first = ("a", *managed(tmp_path / "d" / "f"))

    found = after(first, ("b", function, {"name": f"{tmp_path}/d", **arguments}, {}))

    assert found == (["a"] if is_shared else [])


def test_content_requisites_and_commands_are_no_paths(after, tmp_path):
    first = ("a", *managed("/x/f"))

    assert after(first, ("b", *managed("/y", contents="/x/f", require=[{"file": "/x/f"}]))) == []
    assert after(first, ("b", "cmd.run", {"name": "/x/f --now", "cwd": "/x/f"}, {})) == []
    assert after(first, ("b", "cmd.run", {"name": "true", "creates": "/x/f"}, {})) == ["a"]


def test_the_same_thing_of_a_module_is_shared(after):
    first = ("a", "user.present", {"name": "ann"}, {"ann": "new"})

    assert after(first, ("b", "user.absent", {"name": "ann"}, {})) == ["a"]
    assert after(first, ("b", "user.absent", {"name": "ben"}, {})) == []
    assert after(("a", "test.nop", {"name": "ann"}, {}), ("b", "test.nop", {"name": "ann"}, {})) == []


def test_packages_and_commands_that_are_required_count_also_through_others(after):
    package = ("a", "pkg.installed", {"name": "nginx"}, {"nginx": {"old": "", "new": "1"}})
    conf = ("b", *managed("/etc/nginx/nginx.conf"))

    assert after(package, conf) == []
    assert after(package, conf, needs={"b": ["a"]}) == ["a"]
    assert after(package, conf, needs={"b": ["through"], "through": ["a"]}) == []
    passed = ("through", "test.nop", {}, {})
    assert after(package, conf, needs={"b": ["a"]}) == ["a"]
    assert after(("a", *managed("/x")), passed, needs={"through": ["a"]}) == []


def test_on_a_resource_paths_are_compared_as_they_are_written(after, tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    chunks = (("a", *managed(tmp_path / "real" / "f")), ("b", *managed(tmp_path / "link" / "f")))

    assert after(*chunks, is_local=False) == []
    assert after(chunks[0], ("b", *managed(tmp_path / "real" / "f")), is_local=False) == ["a"]
