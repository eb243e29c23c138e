"""Parameters and applications of a node in an inventory of reclass."""

import sys

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.formats.reclass_inventory import answer
from salt_g.tops.reclass import top

#: The library uses names that pyparsing has given up.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
INVENTORY = {
    "nodes/web1.yml": "classes: [app]\nenvironment: prod\napplications: [own]\n"
    "parameters: {port: 81, name: '${host}'}",
    "nodes/odd.yml": "classes: [nosuch]",
    "classes/app.yml": "applications: [nginx]\nparameters: {port: 80, host: h1, users: [a]}",
}


@pytest.fixture
def inventory(tmp_path):
    for name, text in INVENTORY.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return str(tmp_path)


@pytest.fixture
def library():
    return pytest.importorskip("reclass", reason="pip install 'salt-g[reclass]'")


def test_states_are_the_applications_of_the_node(inventory, library, call_context):
    call_context(opts={"master_tops": {"reclass": {"inventory_base_uri": inventory}}})

    assert top({"id": "web1"}) == {"prod": ["nginx", "own"]}


def test_the_inventory_is_by_default_in_the_first_directory_of_base(inventory, library):
    settings = {"file_roots": {"base": [inventory, "/nosuch"]}}

    assert answer("top", "web1", options={}, settings=settings) == {"prod": ["nginx", "own"]}


def test_aliases_that_expand_without_end_are_refused(inventory, library, tmp_path):
    rows = [f"  a{number}: &a{number} [{', '.join([f'*a{number - 1}'] * 9)}]" for number in range(1, 9)]
    bomb = "\n".join(["parameters:", "  a0: &a0 [x, x, x]", *rows, ""])
    (tmp_path / "classes" / "bomb.yml").write_text(bomb)
    (tmp_path / "nodes" / "m1.yml").write_text("classes: [bomb]")

    with pytest.raises(
        CommandExecutionError, match=r"cannot read 'm1': .*classes/bomb.yml: aliases add more"
    ):
        answer("ext_pillar", "m1", {}, options={"inventory_base_uri": inventory}, settings={})


def test_aliases_of_usual_size_are_read(inventory, library, tmp_path):
    (tmp_path / "nodes" / "m1.yml").write_text("parameters:\n  a: &a {x: 1}\n  b: *a\n  c: {<<: *a, y: 2}\n")

    found = answer("ext_pillar", "m1", {}, options={"inventory_base_uri": inventory}, settings={})

    assert (found["b"], found["c"]) == ({"x": 1}, {"x": 1, "y": 2})


@pytest.mark.parametrize(
    ("options", "node", "words"),
    [
        ({}, "nosuch", "reclass refuses 'nosuch'"),
        ({}, "odd", "reclass refuses 'odd'"),
        ({"storage_type": "memory_of_fish"}, "web1", "no storage_type 'memory_of_fish'"),
    ],
)
def test_a_refusal_of_the_library_is_reported(inventory, library, options, node, words):
    with pytest.raises(CommandExecutionError, match=words):
        answer("top", node, options={"inventory_base_uri": inventory, **options}, settings={})


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        ({"nodes/n.yml": "classes: [a]", "classes/a.yml": "classes: [a2]", "classes/a2.yml": "classes: [a]"},
         "classes of 'n' include each other"),
        ({"nodes/n.yml": "classes: [a\n"}, "reclass cannot read 'n': ParserError: .*nodes/n.yml"),
        ({"nodes/n.yml": "- a list\n"}, "reclass cannot read 'n': AttributeError"),
        ({"nodes/n.yml": "parameters: [1]\n"}, "reclass cannot read 'n': TypeError: Cannot merge"),
        ({"nodes/n.yml": "parameters: {a: !!python/object/apply:os.getpid []}\n"}, "ConstructorError"),
        ({"nodes/n.yml": "parameters: {a: '${b}', b: '${a}'}\n"}, "refuses .n.: .*Infinite recursion"),
    ],
)  # fmt: skip
def test_an_inventory_that_cannot_be_read_is_a_sentence(tmp_path, library, texts, words):
    for name in ("nodes", "classes"):
        (tmp_path / name).mkdir()
    for name, text in texts.items():
        (tmp_path / name).write_text(text)

    with pytest.raises(CommandExecutionError, match=f"(?s){words}"):
        answer("ext_pillar", "n", {}, options={"inventory_base_uri": str(tmp_path)}, settings={})


def test_a_missing_library_is_reported_with_the_package_to_install(inventory, tmp_path, monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "reclass"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "reclass.py").write_text("# Not the library: a file of this name.\n")

    with pytest.raises(CommandExecutionError, match=r"reclass is missing .*salt-g\[reclass\]"):
        answer("top", "web1", options={"reclass_source_path": str(tmp_path / "source")}, settings={})
    sys.modules.pop("reclass", None)
