"""Reading and writing grains."""

import pytest

from salt_g import api
from salt_g.errors import SaltGError
from salt_g.modules import grains


@pytest.fixture
def minion(call_context, tmp_path):
    """Return a function that enters a call on a minion with these grains, and returns its grains file."""

    def enter(**facts):
        (tmp_path / "minion").touch()
        settings = {"conf_file": str(tmp_path / "minion"), "cachedir": str(tmp_path), "local": True}
        call_context(grains=facts, opts=settings)
        return tmp_path / "grains"

    return enter


def test_get_walks_a_path_and_falls_back(minion):
    minion(nest={"a": [1, {"b": 2}]})

    assert grains.get("nest:a:1:b") == 2
    assert grains.get("nest/a", delimiter="/") == [1, {"b": 2}]
    assert (grains.get("nope"), grains.get("nope", "d")) == ("", "d")


def test_fetch_is_get(minion):
    minion(os="Debian")

    assert grains.fetch("os") == "Debian"


def test_a_grain_with_the_value_none_exists(minion):
    minion(empty=None)

    assert grains.has_value("empty") is True
    assert grains.has_value("nope") is False


def test_item_returns_every_key_asked_for(minion):
    minion(os="Debian")

    assert grains.item("os", "nope", default="?") == {"os": "Debian", "nope": "?"}


def test_sanitize_hides_names_and_serial_numbers(minion):
    minion(id="web1", fqdn="web1.example.net", serialnumber="ABCDEFGH", os="Debian")

    assert grains.items(sanitize=True) == {
        "id": "MINION.DOMAINNAME",
        "fqdn": "MINION.DOMAINNAME",
        "serialnumber": "ABCDEFXX",
        "os": "Debian",
    }
    assert grains.item("id", sanitize=True) == {"id": "MINION.DOMAINNAME"}


def test_ls_and_equals(minion):
    minion(b=1, a="x")

    assert grains.ls() == ["a", "b"]
    assert grains.equals("b", "1") is True


def test_a_value_that_is_set_is_written_and_counts_at_once(minion):
    file = minion(old=1)

    assert grains.setval("role", {"b": 1, "a": [1, 2]}) == {"role": {"b": 1, "a": [1, 2]}}

    assert file.read_text() == "role:\n  a:\n  - 1\n  - 2\n  b: 1\n"
    assert api.grains["role"] == {"b": 1, "a": [1, 2]}


def test_other_grains_of_the_file_stay(minion):
    file = minion()
    file.write_text("a: 1\n")

    grains.setvals({"b": 2})

    assert file.read_text() == "a: 1\nb: 2\n"


def test_a_broken_file_is_not_overwritten(minion):
    file = minion()
    file.write_text("a: [1\n")

    assert grains.setval("b", 2).startswith("Unable to read existing grains file: ")
    assert file.read_text() == "a: [1\n"


def test_setvals_wants_a_mapping(minion):
    minion()

    with pytest.raises(SaltGError, match="must be a dictionary"):
        grains.setvals([1])


def test_a_destructive_none_deletes(minion):
    file = minion(a=1, b=2)
    file.write_text("a: 1\nb: 2\n")

    assert grains.delkey("a")["result"] is True
    assert grains.delval("b")["changes"] == {"b": None}

    assert file.read_text() == "b: null\n"
    assert dict(api.grains) == {"b": None}


def test_append_and_remove_of_a_list(minion):
    minion(roles=["web"])

    assert grains.append("roles", "db") == {"roles": ["web", "db"]}
    assert grains.append("roles", "db") == "The val db was already in the list roles"
    assert grains.remove("roles", "web") == {"roles": ["db"]}
    assert grains.remove("roles", "web") == "The val web was not in the list roles"


def test_append_makes_a_list_only_when_asked(minion):
    minion(role="web")

    assert grains.append("role", "db") == "The key role is not a valid list"
    assert grains.append("role", "db", convert=True) == {"role": ["web", "db"]}


def test_append_reaches_into_a_path_that_is_not_there(minion):
    minion()

    assert grains.append("a:b", "x") == {"a": {"b": ["x"]}}
    assert grains.append("a:c", "y") == {"a": {"b": ["x"], "c": ["y"]}}


def test_set_makes_the_path(minion):
    minion()

    assert grains.set_("a:b:c", 5)["changes"] == {"a": {"b": {"c": 5}}}
    assert grains.set_("a:b:c", 5)["comment"] == "Grain is already set"


def test_set_overwrites_collections_only_by_force(minion):
    minion(apps={"x": 1}, name="web")

    assert grains.set_("apps", "flat") == {
        "comment": "The key 'apps' exists but is a dict or a list. Use 'force=True' to overwrite.",
        "changes": {},
        "result": False,
    }
    assert grains.set_("name", ["a"])["result"] is False
    assert grains.set_("apps", "flat", force=True)["changes"] == {"apps": "flat"}


def test_set_does_not_go_through_another_value_without_force(minion):
    minion(name="web")

    refused = grains.set_("name:port", 80)

    assert refused["comment"] == (
        "The key 'name' value is 'web', which is different from the provided key 'port'."
        " Use 'force=True' to overwrite."
    )
    assert grains.set_("name:port", 80, force=True)["changes"] == {"name": {"port": 80}}


def test_set_finds_its_key_in_a_list(minion):
    minion(list=["a", {"b": 1}])

    assert grains.set_("list:a", 2)["changes"] == {"list": [{"a": 2}, {"b": 1}]}
    assert grains.set_("list:c", 3, force=True)["changes"] == {"list": [{"a": 2}, {"b": 1}, {"c": 3}]}


def test_filter_by_chooses_by_a_grain(minion):
    minion(os_family="Debian")

    assert grains.filter_by({"Debian": 1, "default": 2}) == 1
