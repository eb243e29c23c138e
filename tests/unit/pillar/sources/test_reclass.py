"""Parameters of a node in an inventory of reclass."""

import pytest

from salt_g.pillar.sources.reclass import reclass

pytest.importorskip("reclass", reason="pip install 'salt-g[reclass]'")
#: The library uses names that pyparsing has given up.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture
def inventory(tmp_path):
    for name in ("nodes", "classes"):
        (tmp_path / name).mkdir()
    (tmp_path / "nodes/web1.yml").write_text(
        "classes: [app]\nenvironment: prod\nparameters: {port: 81, name: '${host}'}\n"
    )
    (tmp_path / "classes/app.yml").write_text("parameters: {port: 80, host: h1, users: [a]}\n")
    return str(tmp_path)


def test_pillar_has_the_parameters_of_the_node_and_its_classes(inventory, call_context):
    call_context(opts={})

    found = reclass("web1", {}, inventory_base_uri=inventory, storage_type="yaml_fs")

    about = found.pop("__reclass__")
    assert found["port"] == 81
    assert (found["name"], found["users"]) == ("h1", ["a"])
    assert (about["nodename"], about["classes"], about["environment"]) == ("web1", ["app"], "prod")
