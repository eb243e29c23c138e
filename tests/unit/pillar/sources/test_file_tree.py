"""Files of a minion as pillar."""

import os

import pytest

from salt_g.pillar.sources.file_tree import file_tree


class Rendering:
    def render_text(self, text, *, pipe, **options):
        return f"{pipe}({text})"


@pytest.fixture
def root(tmp_path, call_context):
    """Return a file tree for `web1`, within a call."""
    for name, content in {
        "hosts/web1/a/b": b"text\n",
        "hosts/web1/a/bin": b"\xff\xfe\n",
        "hosts/web1/both": b"host",
        "hosts/web2/x": b"other",
        "nodegroups/webs/both": b"group",
        "nodegroups/webs/a/c": b"c\n\n",
        "nodegroups/dbs/d": b"d",
    }.items():
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    call_context(
        opts={
            "id": "web1",
            "nodegroups": {"webs": "web*", "dbs": "db*"},
            "pillarenv": "base",
            "pillar_roots": {"base": [str(tmp_path)]},
        },
        render=Rendering(),
    )
    return str(tmp_path / "tree")


def test_files_nest_like_their_folders_and_the_host_wins(root):
    assert file_tree("web1", {}, root) == {
        "a": {"b": "text", "bin": b"\xff\xfe", "c": "c\n"},
        "both": "host",
    }


def test_a_relative_root_is_below_the_roots_of_the_environment(root):
    assert file_tree("web1", {}, "tree") == file_tree("web1", {}, root)


@pytest.mark.parametrize(
    ("keep", "texts"), [(True, ("text\n", "c\n\n")), (["a/b"], ("text\n", "c\n")), ([], ("text", "c\n"))]
)
def test_newlines_are_kept_where_they_are_wanted(root, keep, texts):
    found = file_tree("web1", {}, root, keep_newline=keep)["a"]

    assert (found["b"], found["c"]) == texts


def test_templates_are_rendered_but_bytes_are_not(root):
    found = file_tree("web1", {}, root, template=True, render_default="own")

    assert (found["both"], found["a"]["bin"]) == ("own(host)", b"\xff\xfe")


def test_linked_folders_are_followed_on_request_only(root):
    os.symlink(f"{root}/hosts/web2", f"{root}/hosts/web1/linked")

    assert "linked" not in file_tree("web1", {}, root)
    assert file_tree("web1", {}, root, follow_dir_links=True)["linked"] == {"x": "other"}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "no root_dir"),
        ({"root_dir": "/x", "keep_newline": "a"}, "keep_newline"),
    ],
)
def test_wrong_options_are_logged_and_add_nothing(root, options, words, caplog):
    assert file_tree("web1", {}, **options) == {}
    assert words in caplog.text


def test_a_minion_without_files_has_nothing(root):
    assert file_tree("db9", {}, "/no/such/root") == {}
