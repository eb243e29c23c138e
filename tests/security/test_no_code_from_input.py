"""No code from input: no pickle, marshal, eval or unsafe YAML in anything that is installed (property 17).

Python in SLS (`#!py`, `#!pyobjects`) is meant by its author to be executed, the one-file executable acts as
Python for its own child processes, and compiled templates are loaded from a directory that only their user
can write to, like Python's own `.pyc` files. The files that do so are listed here, and no other may.
"""

import ast
import functools
import pathlib

import pytest

ROOT = pathlib.Path(__file__).parents[2]
SOURCES = sorted(
    path for top in ("salt_g", "modules", "states", "grains") for path in (ROOT / top).rglob("*.py")
)
#: Modules that deserialize bytes by executing code in them.
UNSAFE_MODULES = {"pickle", "_pickle", "cPickle", "dill", "cloudpickle", "marshal", "shelve", "jsonpickle"}
#: Built-in functions that execute text, and the files permitted to run Python of SLS authors.
RUNNERS_OF_TEXT = {"eval", "exec", "compile"}
MAY_RUN_TEXT = {"salt_g/render/py.py", "salt_g/render/pyobjects.py", "salt_g/onefile/program.py"}
#: Files that read back their own output; `tests/unit/render/jinja/test_code_cache.py` tests what they refuse.
MAY_LOAD_CODE = {("salt_g/render/jinja/code_cache.py", "marshal")}
#: YAML loaders that construct arbitrary objects.
UNSAFE_YAML = {"unsafe_load", "unsafe_load_all", "full_load", "UnsafeLoader", "FullLoader", "Loader"}


@functools.cache
def _found():
    """Return (path, node) of each import, call and attribute in files that contain one of the words."""
    words = (*UNSAFE_MODULES, *RUNNERS_OF_TEXT, *UNSAFE_YAML)
    found = []
    for path in SOURCES:
        text = path.read_text(encoding="utf-8")
        # Parsing takes milliseconds for each file, and most have none.
        if any(word in text for word in words):
            kinds = (ast.Import, ast.ImportFrom, ast.Call, ast.Attribute)
            nodes = (node for node in ast.walk(ast.parse(text)) if isinstance(node, kinds))
            found.extend((str(path.relative_to(ROOT)), node) for node in nodes)
    return found


def _nodes(kind):
    return [(path, node) for path, node in _found() if isinstance(node, kind)]


def test_the_sources_are_found():
    assert len(SOURCES) > 300


def test_no_file_imports_a_module_that_runs_its_input():
    imports = [(path, alias.name) for path, node in _nodes(ast.Import) for alias in node.names]
    imports += [(path, node.module or "") for path, node in _nodes(ast.ImportFrom)]

    assert {one for one in imports if one[1].split(".")[0] in UNSAFE_MODULES} <= MAY_LOAD_CODE


def test_text_is_run_only_where_python_is_the_language_of_an_sls():
    calls = {
        path
        for path, node in _nodes(ast.Call)
        if isinstance(node.func, ast.Name) and node.func.id in RUNNERS_OF_TEXT
    }

    assert calls <= MAY_RUN_TEXT


def test_no_yaml_makes_objects_that_a_document_names():
    from_yaml = [
        (path, node.attr)
        for path, node in _nodes(ast.Attribute)
        if node.attr in UNSAFE_YAML and isinstance(node.value, ast.Name) and "yaml" in node.value.id
    ]

    assert from_yaml == []


@pytest.mark.parametrize(
    "text",
    ["!!python/object/apply:os.system ['true']", "!!python/name:os.system", "a: !!python/module:os"],
)
def test_yaml_of_users_cannot_name_python_objects(text):
    from salt_g.errors import SaltGError
    from salt_g.formats import yaml_load

    try:
        value = yaml_load.load(text)
    except SaltGError:
        return

    assert isinstance(value, (str, list, dict)), value


def test_a_message_cannot_carry_objects():
    import msgpack

    from salt_g.errors import WireError
    from salt_g.wire.packing import unpack

    with pytest.raises(WireError):
        unpack(msgpack.packb(msgpack.ExtType(5, b"cos\nsystem\n(S'true'\ntR.")))
