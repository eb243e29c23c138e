"""A tree with unsaved texts."""

import pytest

from salt_g.language_server.project import pillar_places

FILES = {
    "states/a.sls": "x:\n  test.nop: []\n",
    "states/b.sls": "include: [a]\n",
    "pillar/top.sls": "base:\n  '*': [p]\n",
    "pillar/p.sls": "port: 80\n",
}


@pytest.fixture
def project(make_project):
    return make_project(FILES)


@pytest.fixture
def found(project, tmp_path):
    """Return a function that returns the present {path below the temporary directory: [rule]}."""

    def look():
        project.refresh()
        return {
            path.removeprefix(f"{tmp_path}/"): [finding.rule for finding in findings]
            for path, findings in project.findings().items()
        }

    return look


def test_findings_of_unsaved_texts_have_the_saved_path(project, found, tmp_path):
    path = str(tmp_path / "states" / "a.sls")
    project.write(path, "x:\n  nosuch.fun: []\n")
    assert found() == {"states/a.sls": ["unknown-function"]}

    project.discard(path)

    assert found() == {}


def test_a_link_to_nothing_has_a_finding_of_its_own(project, found, tmp_path):
    (tmp_path / "states" / "broken.sls").symlink_to("nowhere")
    project.saved(str(tmp_path / "states" / "broken.sls"), is_listed=True)

    assert found() == {"states/broken.sls": ["unknown-sls"]}


def test_a_new_file_is_part_of_the_tree_while_it_is_open(project, found, tmp_path):
    project.write(str(tmp_path / "states" / "b.sls"), "include: [new.sub]\n")
    assert found() == {"states/b.sls": ["unknown-sls"]}
    new = str(tmp_path / "states" / "new" / "sub.sls")
    project.write(new, "y:\n  test.nop: []\n")
    assert found() == {}

    project.discard(new)

    assert found() == {"states/b.sls": ["unknown-sls"]}


def test_pillar_that_is_not_saved_counts(project, found, tmp_path):
    project.write(
        str(tmp_path / "states" / "a.sls"), "{% if pillar.port == 81 %}\nx:\n  nosuch.fun: []\n{% endif %}\n"
    )
    assert found() == {}

    project.write(str(tmp_path / "pillar" / "p.sls"), "port: 81\n")

    assert found() == {"states/a.sls": ["unknown-function"]}


def test_plugins_are_read_again_when_they_are_saved(project, found, tmp_path):
    project.write(str(tmp_path / "states" / "a.sls"), "x:\n  mine.fun: []\n")
    assert found() == {"states/a.sls": ["unknown-function"]}
    plugin = tmp_path / "states" / "_states" / "mine.py"
    plugin.parent.mkdir()
    plugin.write_text("def fun(name):\n    return {}\n")

    project.saved(str(plugin), is_listed=True)

    assert found() == {}


def test_names_and_files(project, tmp_path):
    place = project.overlay.place(str(tmp_path / "states" / "web" / "init.sls"))
    assert project.sls_of(place) == "web"
    assert project.sls_of(place._replace(relative="a/b.sls")) == "a.b"
    assert project.sls_of(place._replace(relative="a/b.jinja")) == ""
    assert project.file("a.sls", "base") == str(tmp_path / "states" / "a.sls")
    assert project.file("nosuch", "base") == ""
    assert project.pillar_client().list_states("base") == ["p", "top"]
    assert project.top() == "top.sls"


def test_steps_compile_every_system(make_project):
    project = make_project(FILES, systems=("debian", "rhel"))

    assert len(list(project.steps())) == 2 * 3


def test_open_files_come_first(make_project, tmp_path):
    files = {
        f"states/s{n}.sls": "{% from 'm.jinja' import x %}\n{{ x }}:\n  test.nop: []\n" for n in range(20)
    }
    project = make_project({**files, "states/m.jinja": "{% set x = 'x' %}\n"})
    paths = [str(tmp_path / "states" / name) for name in ("m.jinja", "s17.sls")]
    project.write(paths[0], "{% set x = nosuch.y %}\n")
    project.refresh()

    steps = project.steps(paths)

    assert [next(steps) for _ in range(3)] == [False, False, True]
    early = project.early_findings()
    assert {path: [one.rule for one in found] for path, found in early.items()} == {
        paths[0]: ["undefined"],
        paths[1]: [],
    }
    assert not any(steps)
    assert project.findings()[paths[0]] == early[paths[0]]


def test_a_few_outdated_files_are_compiled_at_once(make_project, tmp_path):
    project = make_project(FILES)
    path = str(tmp_path / "states" / "a.sls")
    project.write(path, "x:\n  nosuch.fun: []\n")
    project.refresh()

    assert not any(project.steps([path, str(tmp_path / "pillar" / "p.sls"), "/elsewhere"]))


def test_each_file_that_sets_a_key_with_its_line(make_project, tmp_path):
    project = make_project(
        {
            "pillar/top.sls": "base:\n  '*': [a, b]\n",
            "pillar/a.sls": "app:\n  port: 1\n",
            "pillar/b.sls": "port: 2\napp:\n{% for n in [1] %}\n  port: 3\n{% endfor %}\n",
            "pillar/c.sls": "app:\n  port: 4\n",
        }
    )

    found = [
        (path.removeprefix(f"{tmp_path}/"), line) for path, line in pillar_places(project, ("app", "port"))
    ]

    assert found == [("pillar/a.sls", 2), ("pillar/b.sls", 4)]
    assert pillar_places(project, ("app", "nosuch")) == []
