import pytest

from salt_g.cli.setup.pip import command_place


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
