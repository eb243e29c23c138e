import os
import stat

import pytest

from salt_g import api
from salt_g.errors import CommandExecutionError
from salt_g.modules import file as execution
from salt_g.states.file import directory, managed, recurse


def mode_of(path):
    return oct(stat.S_IMODE(os.stat(path).st_mode))[2:]


@pytest.fixture
def tree(tmp_path):
    top = tmp_path / "top"
    (top / "sub").mkdir(parents=True)
    for path in (top / "f", top / "sub" / "g"):
        path.write_text("x")
        path.chmod(0o644)
    for path in (top, top / "sub"):
        path.chmod(0o755)
    return top


def test_a_missing_directory_is_made_with_its_mode(file_context, tmp_path):
    file_context()
    path = tmp_path / "d"

    ret = directory(str(path), mode="0750")

    assert (ret["result"], ret["changes"]) == (True, {str(path): {"directory": "new"}})
    assert mode_of(path) == "750"


def test_a_directory_without_a_parent_needs_makedirs(file_context, tmp_path):
    file_context()
    path = tmp_path / "a" / "b"

    refused = directory(str(path))
    made = directory(str(path), makedirs=True)

    assert refused["comment"] == f"No directory to create {path} in"
    assert made["result"] is True
    assert path.is_dir()


def test_recursion_plans_and_does_the_same(file_context, tree):
    wish = {"dir_mode": "0700", "file_mode": "0600", "recurse": ["mode"]}

    file_context(test=True)
    planned = directory(str(tree), **wish)
    file_context()
    done = directory(str(tree), **wish)
    again = directory(str(tree), **wish)

    assert planned["changes"] == {
        str(tree / "f"): {"mode": "0600"},
        str(tree / "sub"): {"mode": "0700"},
        str(tree / "sub" / "g"): {"mode": "0600"},
        str(tree): {"mode": "0700"},
    }
    assert planned["changes"].items() <= done["changes"].items()
    assert [mode_of(tree), mode_of(tree / "sub"), mode_of(tree / "sub" / "g")] == ["700", "700", "600"]
    assert again["changes"] == {}


def test_max_depth_spares_what_lies_deeper(file_context, tree):
    file_context()

    directory(str(tree), dir_mode="0711", file_mode="0600", recurse=["mode"], max_depth=1)

    assert mode_of(tree / "f") == "600"
    assert mode_of(tree / "sub" / "g") == "644"


def test_a_file_in_the_way_is_an_error_unless_forced(file_context, tmp_path):
    file_context()
    path = tmp_path / "f"
    path.write_text("x")

    refused = directory(str(path))
    forced = directory(str(path), force=True)

    assert refused["comment"] == f"Specified location {path} exists and is a file"
    assert forced["changes"] == {"forced": "File was forcibly replaced", str(path): {"directory": "new"}}


def test_clean_keeps_what_required_states_own(file_context, tree):
    context = file_context()
    (tree / "stray").mkdir()
    (tree / "spared.log").write_text("x")
    with api.use(context.replace(running={f"file_|-mine_|-{tree / 'sub' / 'g'}_|-managed": {}})):
        ret = directory(str(tree), clean=True, require=[{"file": "mine"}], exclude_pat="*.log")

    assert sorted(ret["changes"]["removed"]) == [str(tree / "f"), str(tree / "stray")]
    assert sorted(os.listdir(tree)) == ["spared.log", "sub"]


@pytest.mark.parametrize(
    ("arguments", "comment"),
    [
        ({"recurse": "mode"}, '"recurse" must be formed as a list of strings'),
        (
            {"recurse": ["owner"]},
            (
                'Types for "recurse" limited to "user", "group", "mode", "ignore_files", "ignore_dirs", '
                '"silent".'
            ),
        ),
        ({"clean": True, "max_depth": 1}, "Cannot specify both max_depth and clean"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(file_context, tree, arguments, comment):
    file_context()

    assert directory(str(tree), **arguments)["comment"] == comment


@pytest.fixture
def refusing(file_context):
    """Return a function that enters a context in which one path cannot be removed."""

    def enter(refused):
        def remove(path):
            if path == str(refused):
                raise CommandExecutionError(f"Could not remove '{path}': busy")
            return execution.remove(path)

        file_context(functions={"file.remove": remove})

    return enter


def test_failing_to_clean_a_directory_is_a_failure(refusing, tree):
    refusing(tree / "f")

    ret = directory(str(tree), clean=True)

    assert ret["result"] is False
    assert ret["comment"].endswith(
        f"The following errors were encountered:\n\n- Could not remove '{tree / 'f'}': busy"
    )
    assert ret["changes"]["removed"] == [str(tree / "sub")]
    assert str(tree / "f") not in ret["changes"]
    assert [entry.name for entry in tree.iterdir()] == ["f"]


def test_failing_to_clean_below_a_recursion_is_a_failure(refusing, tree, served):
    refusing(tree / "f")
    (served / "web").mkdir()
    (served / "web" / "a").write_text("a\n")

    ret = recurse(str(tree), "salt://web", clean=True)

    assert ret["result"] is False
    assert ret["comment"] == f"#### {tree / 'f'} ####\nCould not remove '{tree / 'f'}': busy"
    assert ret["changes"]["removed"] == [str(tree / "sub")]
    assert (tree / "a").exists()


def test_recurse_copies_a_tree_and_cleans_the_rest(file_context, tmp_path, served):
    file_context()
    (served / "web" / "css").mkdir(parents=True)
    (served / "web" / "index.html").write_text("hi\n")
    (served / "web" / "css" / "a.css").write_text("b {}\n")
    (served / "website").mkdir()
    (served / "website" / "other").write_text("not ours\n")
    target = tmp_path / "www"
    target.mkdir()
    (target / "stray").write_text("x")

    ret = recurse(str(target), "salt://web", clean=True, file_mode="0640")
    again = recurse(str(target), "salt://web", clean=True, file_mode="0640")

    assert sorted(str(path.relative_to(target)) for path in target.rglob("*")) == [
        "css",
        "css/a.css",
        "index.html",
    ]
    assert ret["changes"]["removed"] == [str(target / "stray")]
    assert mode_of(target / "index.html") == "640"
    assert again["comment"] == f"The directory {target} is in the correct state"


def test_recurse_with_empty_directories_manages_the_top_of_the_tree_too(file_context, tmp_path, served):
    file_context()
    (served / "deep" / "er").mkdir(parents=True)
    (served / "deep" / "er" / "leaf").write_text("x\n")
    target = tmp_path / "copy"
    target.mkdir(mode=0o755)

    ret = recurse(str(target), "salt://deep", include_empty=True, dir_mode="0711")

    assert ret["result"] is True
    assert mode_of(target) == mode_of(target / "er") == "711"


def test_recurse_takes_only_what_fits_the_patterns(file_context, tmp_path, served):
    file_context()
    for name in ("a.conf", "b.txt", "sub/c.conf", "sub/skip.conf"):
        path = served / "etc" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x\n")
    target = tmp_path / "etc"

    recurse(str(target), "salt://etc", include_pat="*.conf", exclude_pat="E@skip")

    assert sorted(path.name for path in target.rglob("*") if path.is_file()) == ["a.conf", "c.conf"]


def test_a_source_that_is_not_a_directory_is_refused(file_context, tmp_path):
    file_context()

    missing = recurse(str(tmp_path / "x"), "salt://nope")
    strange = recurse(str(tmp_path / "x"), "http://host/tree")

    assert missing["comment"] == "Recurse failed: none of the specified sources were found"
    assert strange["comment"] == "Recurse failed: Invalid source 'http://host/tree' (must be a salt:// URI)"


def test_names_that_are_not_text_survive(file_context, tmp_path):
    file_context()
    path = os.path.join(str(tmp_path), "caf\udce9")

    managed(path, contents="x")
    ret = directory(str(tmp_path), recurse=["mode"], file_mode="0600", dir_mode="0700")

    assert ret["changes"][path] == {"mode": "0600"}
