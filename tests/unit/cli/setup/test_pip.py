import pytest

from salt_g.cli.setup.pip import checks_hashes, command_place


@pytest.mark.parametrize(
    "words, place",
    [
        ("install probe", 0),
        ("-q install probe", 1),
        ("--quiet --no-color install probe", 2),
        ("--timeout 5 --retries=2 install probe", 3),
        ("--python install install probe", 2),
        ("--version", 1),
        ("--log", 2),
    ],
)
def test_the_command_is_found_behind_options(words, place):
    assert command_place(words.split()) == place


@pytest.mark.parametrize(
    ("words", "checks"),
    [
        ("install --require-hashes -r plain.txt", True),
        ("install -r hashed.txt", True),
        ("install --requirement=hashed.txt", True),
        ("install -rnaming.txt", True),
        ("install -r plain.txt probe", False),
        ("install -r nosuch.txt", False),
        ("install probe -r", False),
    ],
)
def test_hashes_are_needed_by_an_option_or_as_a_file_has_some(tmp_path, monkeypatch, words, checks):
    (tmp_path / "hashed.txt").write_text("a==1 \\\n    --hash=sha256:00\n")
    (tmp_path / "plain.txt").write_text("# b==1 --hash=sha256:00\na==1\n")
    (tmp_path / "naming.txt").write_text("-r naming.txt\n--requirement hashed.txt\n")
    monkeypatch.chdir(tmp_path)

    assert checks_hashes(words.split()) is checks


@pytest.mark.parametrize(("value", "checks"), [("1", True), ("true", True), ("0", False)])
def test_hashes_are_needed_by_the_environment(monkeypatch, value, checks):
    monkeypatch.setenv("PIP_REQUIRE_HASHES", value)

    assert checks_hashes(["install", "probe"]) is checks
