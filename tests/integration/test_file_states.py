"""A tree of files through the real command: created, already correct, changed, refused."""

import os

import pytest

TREE = """
app:
  file.directory:
    - name: {out}/app
    - mode: '0750'
    - clean: True
    - require:
      - file: config
      - file: static
config:
  file.managed:
    - name: {out}/app/app.conf
    - source: salt://app.conf
    - template: jinja
    - context:
        port: 8080
    - makedirs: True
static:
  file.recurse:
    - name: {out}/app/static
    - source: salt://static
    - file_mode: '0640'
current:
  file.symlink:
    - name: {out}/current
    - target: app
line:
  file.accumulated:
    - name: hosts
    - filename: {out}/hosts
    - text: 192.0.2.1 one
    - require_in:
      - file: hosts
hosts:
  file.managed:
    - name: {out}/hosts
    - source: salt://hosts
    - template: jinja
"""


def write_tree(salt_g):
    salt_g.write(
        {
            "tree.sls": TREE.format(out=salt_g.out),
            "app.conf": "port = {{ port }}\nid = {{ grains.id }}\n",
            "hosts": "{% for line in accumulator.hosts %}{{ line }}\n{% endfor %}",
            "static/css/a.css": "a {}\n",
        }
    )


def test_a_tree_is_made_once_and_then_left_alone(salt_g):
    write_tree(salt_g)

    first = salt_g("state.apply", "tree")
    second = salt_g("state.apply", "tree")

    assert first.code == 0
    assert (salt_g.out / "app/app.conf").read_text() == "port = 8080\nid = m1\n"
    assert (salt_g.out / "app/static/css/a.css").read_text() == "a {}\n"
    assert (salt_g.out / "hosts").read_text() == "192.0.2.1 one\n"
    assert (salt_g.out / "current/app.conf").is_file()
    assert second.code == 0
    assert [ret["changes"] for ret in second.value.values()] == [{}] * 6


def test_a_stray_file_in_a_clean_directory_is_removed(salt_g):
    write_tree(salt_g)
    salt_g("state.apply", "tree")
    (salt_g.out / "app/stray").write_text("x")

    planned = salt_g("state.apply", "tree", "test=True")
    done = salt_g("state.apply", "tree")

    assert [ret["changes"] for ret in planned.value.values() if ret["changes"]] == [
        {f"{salt_g.out}/app/stray": {"removed": "Removed due to clean"}}
    ]
    assert done.code == 0
    assert not (salt_g.out / "app/stray").exists()
    assert (salt_g.out / "app/app.conf").is_file()


def test_a_template_error_names_the_line_and_fails_the_run(salt_g):
    salt_g.write({"bad.conf": "fine\n{{ nope }}\n"})

    run = salt_g(
        "state.single",
        "file.managed",
        f"name={salt_g.out}/f",
        "source=salt://bad.conf",
        "template=jinja",
    )

    (ret,) = run.value.values()
    assert run.code != 0
    assert "Jinja variable 'nope' is undefined; line 2" in ret["comment"]
    assert not (salt_g.out / "f").exists()


def test_a_directory_of_an_earlier_source_covers_files_and_links_of_later_ones(salt_g, tmp_path):
    salt_g.write(
        {
            **{"first/both/a": "first", "first/deep/er/a": "first", "first/linked/a": "first"},
            **{"second/both": "a file", "second/deep": "a file", "second/own": "second"},
        }
    )
    (salt_g.states / "second/linked").symlink_to("own")
    out = tmp_path / "out"

    run = salt_g(
        *("state.single", "file.recurse", out, "source=[salt://first, salt://second]"),
        *("merge=True", "keep_symlinks=True"),
    )

    ret = next(iter(run.value.values()))
    assert ret["result"] is True, ret["comment"]
    found = sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.is_file())
    assert found == ["both/a", "deep/er/a", "linked/a", "own"]


def test_links_lead_to_what_the_merged_sources_have(salt_g, tmp_path):
    salt_g.write(
        {
            **{"first/turned": "a file", "first/real/a": "first"},
            **{"second/turned/a": "second", "second/own/a": "second"},
        }
    )
    (salt_g.states / "first/hollow").mkdir()
    for link, target in {
        "first/again": "real",
        "first/to_hollow": "hollow",
        "first/to_link": "to_hollow",
        "second/to_turned": "turned",
    }.items():
        (salt_g.states / link).symlink_to(target)
    out = tmp_path / "out"

    salt_g(
        *("state.single", "file.recurse", out, "source=[salt://first, salt://second]"),
        *("merge=True", "keep_symlinks=True"),
    )

    assert sorted(path.name for path in out.iterdir()) == ["again", "own", "real", "turned"]
    assert (out / "again/a").read_text() == "first"


def test_each_link_to_a_directory_is_copied_with_its_content(salt_g, tmp_path):
    salt_g.write({"tree/real/a": "text"})
    for link in ("one", "two"):
        (salt_g.states / "tree" / link).symlink_to("real")
    out = tmp_path / "out"

    salt_g("state.single", "file.recurse", out, "source=salt://tree")

    assert {path.parent.name for path in out.rglob("a")} == {"real", "one", "two"}


@pytest.mark.parametrize("function", ["copy", "rename"])
@pytest.mark.parametrize(
    ("name", "source", "expected"),
    [
        ("d", "d/a/f", "would be removed together with the present"),
        ("d", "d", "would be removed together with the present"),
        ("link", "d/a/f", ""),
        ("d/new", "d", "is inside of the source"),
        ("d/a/f", "around", "is inside of the source"),
    ],
)
def test_a_source_is_not_destroyed_by_what_it_replaces(salt_g, tmp_path, function, name, source, expected):
    """`around` is a link to the directory: it may be moved, but a copy of it would be endless."""
    (tmp_path / "d" / "a").mkdir(parents=True)
    (tmp_path / "d" / "a" / "f").write_text("kept")
    (tmp_path / "link").symlink_to("d")
    (tmp_path / "around").symlink_to("d")
    words = [str(tmp_path / name), f"source={tmp_path / source}", "force=True"]
    is_moved_link = function == "rename" and source == "around"

    predicted = salt_g.state(f"file.{function}", *words, "test=True")
    ret = salt_g.state(f"file.{function}", *words)

    if expected and not is_moved_link:
        assert expected in ret["comment"]
        assert predicted["comment"] == ret["comment"]
        assert (tmp_path / "d" / "a" / "f").read_text() == "kept"
        assert sorted(os.listdir(tmp_path / "d")) == ["a"]
    else:
        assert ret["result"] is True


def test_a_second_name_of_a_link_that_leads_back_to_itself_is_found(salt_g, tmp_path):
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "d").mkdir()
    os.link(tmp_path / "link", tmp_path / "d" / "file", follow_symlinks=False)

    ret = salt_g.state("file.hardlink", str(tmp_path / "d" / "file"), f"target={tmp_path / 'link'}")

    assert ret["result"] is True
    assert "is already pointing to" in ret["comment"]
