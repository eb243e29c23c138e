"""Compiled templates on disk: reused, and only where they can be trusted."""

import os

import pytest

from salt_g.render.jinja import code_cache, environment

TEXT = "{% for one in range(3) %}{{ one }}{% endfor %}" + " " * code_cache._MIN_LENGTH
ABOUT = ((), None, None)


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch):
    """Make each test check directories again, and compile its templates."""
    monkeypatch.setattr(code_cache, "_trusted", {})
    environment.compiled.cache_clear()


@pytest.fixture
def directory(tmp_path):
    return str(tmp_path / "jinja")


def compiled(directory):
    environment.compiled.cache_clear()
    return environment.compiled((), TEXT, None, None, directory)


def kept(directory):
    return [os.path.join(directory, name) for name in os.listdir(directory)]


def test_only_templates_of_the_file_cache_are_kept():
    opts = {"cachedir": "/c"}

    assert code_cache.directory_for(opts, "/c/files/base/a.jinja") == "/c/jinja"
    assert code_cache.directory_for(opts, "/srv/pillar/secret.sls") == ""
    assert code_cache.directory_for(opts, "/c/filesystem/a") == ""
    assert code_cache.directory_for({}, "/files/a") == ""


def test_a_template_is_compiled_once(directory, monkeypatch):
    first = compiled(directory)

    monkeypatch.setattr(environment, "Environment", None)
    assert compiled(directory) == first


def test_another_option_is_another_template(directory):
    compiled(directory)

    assert code_cache.load(directory, TEXT, ABOUT) is not None
    assert code_cache.load(directory, TEXT, ((("trim_blocks", True),), None, None)) is None
    assert code_cache.load(directory, TEXT + "x", ABOUT) is None


def test_files_are_private(directory):
    compiled(directory)

    (path,) = kept(directory)
    assert os.stat(path).st_mode & 0o777 == 0o600
    assert os.stat(directory).st_mode & 0o777 == 0o700


@pytest.mark.parametrize("damage", [lambda data: data[:-1], lambda data: b"", lambda data: data + b"x"])
def test_a_broken_file_is_compiled_anew(directory, damage):
    first = compiled(directory)
    (path,) = kept(directory)
    with open(path, "rb") as file:
        whole = file.read()
    with open(path, "wb") as file:
        file.write(damage(whole))

    assert code_cache.load(directory, TEXT, ABOUT) is None
    assert compiled(directory) == first
    assert code_cache.load(directory, TEXT, ABOUT) == first


def test_a_directory_that_others_may_write_to_is_not_used(directory):
    compiled(directory)
    os.chmod(directory, 0o777)
    code_cache._trusted.clear()

    assert code_cache.load(directory, TEXT, ABOUT) is None


def test_a_link_is_not_used(directory, tmp_path):
    compiled(directory)
    other = str(tmp_path / "link")
    os.symlink(directory, other)

    assert code_cache.load(other, TEXT, ABOUT) is None


def test_a_place_that_cannot_be_made_costs_only_the_speed(tmp_path):
    (tmp_path / "file").write_text("")

    assert compiled(str(tmp_path / "file" / "jinja")) is not None


def test_the_older_half_is_forgotten_when_there_are_too_many(directory, monkeypatch):
    os.mkdir(directory, 0o700)
    for number in range(10):
        path = os.path.join(directory, str(number))
        open(path, "w").close()
        os.utime(path, (number, number))
    monkeypatch.setattr(code_cache, "MAX_TEMPLATES", 8)

    code_cache.load(directory, TEXT, ABOUT)

    assert sorted(os.listdir(directory)) == ["5", "6", "7", "8", "9"]
