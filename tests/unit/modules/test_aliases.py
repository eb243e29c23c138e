import pytest

from salt_g.errors import InvocationError
from salt_g.modules import aliases

TEXT = '# who reads mail\npostmaster:    root\nroot: a@b  # the boss\n\npipe: "|/bin/x"\n'


@pytest.fixture
def path(call_context, tmp_path, installed):
    file = tmp_path / "aliases"
    file.write_text(TEXT)
    call_context(functions={"config.option": lambda name: str(file)})
    installed()
    return file


def test_aliases_are_listed(path):
    assert aliases.list_aliases() == {"postmaster": "root", "root": "a@b", "pipe": '"|/bin/x"'}
    assert aliases.get_target("nosuch") == ""


def test_a_list_of_targets_is_one_text(path):
    assert aliases.set_target("root", ["a@b", "c@d"]) is True

    assert path.read_text() == TEXT.replace("a@b", "a@b, c@d").replace("postmaster:    ", "postmaster: ")
    assert aliases.has_target("root", ["a@b", "c@d"])


def test_new_aliases_go_to_the_end_and_old_ones_away(path):
    aliases.set_target("new", "x")
    aliases.rm_alias("root")

    assert path.read_text().splitlines()[-1] == "new: x"
    assert "root:" not in path.read_text().replace("postmaster: root", "")


def test_empty_targets_are_refused(path):
    with pytest.raises(InvocationError, match="target can not be an empty string"):
        aliases.set_target("x", "")
