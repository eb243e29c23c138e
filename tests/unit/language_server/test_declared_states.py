"""States of a tree."""

import pytest

FILES = {
    "states/a.sls": "{# one line #}\nx:\n  pkg.installed:\n    - name: y\n",
    "states/b.sls": "include: [a]\nz:\n  cmd.run:\n    - name: {{ salt['cmd.run']('q') }}\n",
}


@pytest.fixture
def project(make_project):
    return make_project(FILES)


def test_states_are_known_by_id_and_name(project, tmp_path):
    (state,) = project.states.named("y", "pkg")

    assert state == ("a", "base", "x", "y", "pkg.installed")
    assert project.states.named("x") == [state]
    assert project.states.named("x", "file") == []
    assert project.states.place_of(state) == (str(tmp_path / "states" / "a.sls"), 2)


def test_names_that_only_a_minion_knows_are_left_out(project):
    assert [state.state_id for state in project.states.all()] == ["x"]


def test_declarations_of_an_sls_stay_known_while_it_is_broken(project, tmp_path):
    path = str(tmp_path / "states" / "a.sls")
    project.write(path, "x:\n  pkg.installed:\n    - name: {{\n")
    project.refresh()
    project.findings()

    (state,) = project.states.named("x")

    assert project.states.place_of(state)[0].endswith("a.sls")


def test_an_sls_that_is_gone_declares_nothing(project, tmp_path):
    (tmp_path / "states" / "a.sls").unlink()
    project.saved(str(tmp_path / "states" / "a.sls"), is_listed=True)
    project.refresh()
    project.findings()

    assert list(project.states.all()) == []
