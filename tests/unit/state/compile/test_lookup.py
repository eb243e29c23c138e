"""States looked up by the values of their arguments."""

from salt_g.shapes.high_data import HighData
from salt_g.state.compile.lookup import Lookup

HIGH = {
    "site": {
        "file": ["managed", {"name": "/etc/site"}],
        "cmd": ["run", {"name": "reload"}],
        "__sls__": "web",
    },
    "copy": {"file": ["managed", {"name": "/etc/site"}, {"mode": 644}], "__sls__": "web"},
    "odd": {"file": ["managed", {"names": ["/a", "/b"]}, {"x": {"y": 1}}, {}], "__sls__": "other"},
    "text": {"pkg": "installed", "__sls__": "other"},
    "__extend__": [{"site": {}}],
}


def test_arguments_find_all_their_ids_in_order():
    assert Lookup(HighData.of(HIGH)).by_argument("file", "/etc/site") == ["site", "copy"]
    assert Lookup(HighData.of(HIGH)).by_argument("file", 644) == ["copy"]
    assert Lookup(HighData.of(HIGH)).by_argument("cmd", "/etc/site") == []


def test_an_id_with_the_same_value_twice_is_found_once():
    high = {"a": {"file": [{"name": "x"}, {"source": "x"}]}}

    assert Lookup(HighData.of(high)).by_argument("file", "x") == ["a"]


def test_a_name_finds_the_first_state_that_has_it():
    assert Lookup(HighData.of(HIGH)).by_name("/etc/site") == ("site", "file")
    assert Lookup(HighData.of(HIGH)).by_name("nosuch") is None


def test_an_sls_finds_each_module_of_its_ids():
    lookup = Lookup(HighData.of(HIGH))

    assert lookup.by_sls("web") == [("site", "file"), ("site", "cmd"), ("copy", "file")]
    assert lookup.by_sls("other") == [("odd", "file"), ("text", "pkg")]
    assert lookup.by_sls("nosuch") == []


def test_an_id_counts_before_names_and_only_with_its_module_where_that_matters():
    high = {"a": {"file": [{"name": "b"}]}, "b": {"cmd": [{"name": "x"}]}}
    lookup = Lookup(HighData.of(high))

    assert lookup.target("b", "file", has_module=False) == ["b"]
    assert lookup.target("b", "file", has_module=True) == ["a"]
    assert lookup.target("c", "file", has_module=True) == []
