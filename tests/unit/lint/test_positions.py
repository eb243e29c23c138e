"""Line and column of a word."""

import pytest

from salt_g.lint import positions


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "a.sls"
    file.write_text(
        "web:\n  pkg.installed:\n    - name: nginx-light\n    - pkgs: [nginx]\n# x\n  y\nb:\n  nginx\n"
    )
    return str(file)


def test_a_word_of_a_file_has_line_and_column(path):
    assert positions.line_with(path, "nginx", start=1) == (4, 14)
    assert positions.narrowed(path, 1, ["pkgs", "nginx"]) == (4, 14)
    assert positions.line_with("/nosuch", "web") == (0, 0)


def test_a_word_is_looked_for_in_its_block(path):
    assert positions.block_end(path, 1) == 6
    assert positions.refined(path, 1, ["", "nginx"]) == (4, 14)
    assert positions.refined(path, 7, ["pkgs"]) == (7, 1)


def test_a_line_begins_at_its_text(path):
    assert positions.first_column(path, 2) == 3
    assert positions.first_column(path, 99) == 0


def test_paths_below_the_working_directory_are_short(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    assert positions.shown_path(path) == "a.sls"
    assert positions.shown_path("/nosuch/b.sls") == "/nosuch/b.sls"
