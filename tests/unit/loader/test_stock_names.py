"""Users' plugins may import the few names of stock's package that they are known to use."""

import sys

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.loader import Loader


@pytest.fixture
def load_user_file(tmp_path):
    """Factory: write a user's execution module and return its function table; stock's names go at the end."""
    before = set(sys.modules)
    finders = list(sys.meta_path)

    def load(text):
        directory = tmp_path / "user"
        directory.mkdir()
        (directory / "mine.py").write_text(text)
        return Loader({"module_dirs": [str(directory)]}).table("modules")

    yield load
    sys.meta_path[:] = finders
    for name in set(sys.modules) - before:
        if name == "salt" or name.startswith("salt."):
            del sys.modules[name]


def test_what_a_users_plugin_raises_is_what_salt_g_catches(load_user_file):
    table = load_user_file(
        "from salt.exceptions import CommandExecutionError\n"
        "def fail():\n"
        "    raise CommandExecutionError('no')\n"
    )

    with pytest.raises(CommandExecutionError, match="no"):
        table["mine.fail"]()


def test_dotted_imports_find_the_same_modules(load_user_file, tmp_path):
    table = load_user_file(
        "import salt.utils.files\n"
        "import salt.utils.yaml\n"
        "from salt.utils.odict import OrderedDict\n"
        "def read(path):\n"
        "    with salt.utils.files.fopen(path) as file:\n"
        "        return OrderedDict(salt.utils.yaml.safe_load(file))\n"
    )
    (tmp_path / "data.yaml").write_text("a: 0644\n")

    assert table["mine.read"](str(tmp_path / "data.yaml")) == {"a": 644}


def test_a_name_that_is_not_offered_is_an_ordinary_import_error(load_user_file, caplog):
    table = load_user_file("import salt.cloud.nosuch\ndef f():\n    return 1\n")

    assert "mine.f" not in table
    assert "No module named 'salt.cloud'" in caplog.text
