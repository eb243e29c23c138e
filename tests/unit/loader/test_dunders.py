"""Names in users' plugin files, whose values are those of the call running at the time of reading."""

import copy
import json

import pytest

from salt_g import api
from salt_g.api import Deferred
from salt_g.errors import NoCallContext
from salt_g.loader import import_shim
from salt_g.loader.dunders import stock_dunders
from salt_g.shapes import RunAs


@pytest.fixture
def names():
    return stock_dunders()


def test_functions_are_reached_by_key_and_by_attribute(names, call_context):
    call_context(functions={"pkg.version": lambda name: name + " 1"})
    salt = names["__salt__"]

    assert (salt["pkg.version"]("a"), salt.pkg.version("b")) == ("a 1", "b 1")
    with pytest.raises(AttributeError, match=r"pkg\.nothing"):
        _ = salt.pkg.nothing
    with pytest.raises(AttributeError):
        _ = salt._private


def test_a_table_says_why_a_function_is_missing(names, call_context):
    call_context(functions={})

    assert names["__salt__"].missing_fun_string("boto_rds.exists") == "'boto_rds.exists' is not available."


def test_functions_of_stocks_utils_are_there_beside_the_users(names, call_context):
    import_shim.install()
    call_context(tables={"utils": {"mine.f": lambda: "mine"}})
    utils = names["__utils__"]

    assert utils["mine.f"]() == "mine"
    assert utils["stringutils.to_unicode"](b"text") == "text"
    assert "stringutils.to_unicode" in utils
    assert utils.get("nothing.at_all", 7) == 7
    assert "nothing.at_all" not in utils
    with pytest.raises(LookupError):
        utils["nothing.at_all"]


def test_a_name_gives_its_value_in_the_running_call(names, call_context):
    call_context(opts={"a": 1}, grains={"id": "x"}, pillar={"p": 2})
    names["__context__"].value()["kept"] = 3

    assert (names["__grains__"].value()["id"], names["__pillar__"].value()["p"]) == ("x", 2)
    assert (names["__opts__"].value()["a"], isinstance(names["__opts__"].value(), dict)) == (1, True)
    assert names["__context__"]["kept"] == 3


def test_settings_have_grains_and_pillar_of_the_call(names, call_context):
    call_context(opts={"a": 1}, grains={"os": "X"}, pillar={"p": 2})
    opts = names["__opts__"]

    assert (opts["a"], opts["grains"]["os"], opts["pillar"]["p"]) == (1, "X", 2)
    assert (opts.get("grains")["os"], opts.get("b", 3)) == ("X", 3)
    assert "pillar" in opts and "b" not in opts


def test_copies_of_the_names_do_not_change_the_call(names, call_context):
    call_context(opts={"a": {"b": 1}}, grains={"os": "X"}, pillar={"p": {"q": 2}})

    for copied in (copy.copy, copy.deepcopy, dict):
        mine = copied(names["__opts__"])
        mine["a2"] = mine["test"] = True
        assert (mine["grains"]["os"], mine["pillar"]["p"]["q"], "pillar" in list(mine)) == ("X", 2, True)
        copied(names["__pillar__"])["new"] = 1
    copy.deepcopy(names["__opts__"])["a"]["b"] = copy.deepcopy(names["__pillar__"])["p"]["q"] = 7

    assert (names["__opts__"]["a"], names["__pillar__"]["p"]) == ({"b": 1}, {"q": 2})
    assert "a2" not in names["__opts__"] and not names["__opts__"]["test"]
    assert "new" not in names["__pillar__"]
    assert copy.deepcopy(names["__salt__"]) is names["__salt__"]


def test_a_copy_of_the_settings_computes_nothing_that_is_being_computed(names, call_context):
    made = []

    def compiled():
        made.append(sorted(copy.copy(names["__opts__"])))
        return {"p": 1}

    context = call_context(opts={"a": 1}, grains={"os": "X"}).replace(pillar=Deferred(compiled))
    with api.use(context):
        assert dict(names["__opts__"])["pillar"] == {"p": 1}
    with api.use(context.replace(opts={"__role": "master"})):
        assert "pillar" not in copy.copy(names["__opts__"])

    assert len(made) == 1 and "grains" in made[0] and "pillar" not in made[0]


def test_environment_and_sls_are_those_of_the_running_state(names, call_context):
    assert (str(names["__env__"]), str(names["__sls__"])) == ("base", "")

    context = call_context()
    with api.use(context.replace(saltenv="dev", low={"__sls__": "web.a"})):
        assert (names["__env__"], names["__sls__"]) == ("dev", "web.a")
    assert names["__sls__"] == ""


def test_chunks_of_a_run_are_there_during_the_run_only(names, call_context):
    assert list(names["__lowstate__"]) == []

    chunks = [{"state": "test", "fun": "nop"}]
    with api.use(call_context().replace(lowstate=chunks)):
        assert names["__lowstate__"] == chunks
        inside = str(names["__instance_id__"])
        assert inside == str(names["__instance_id__"])


def test_the_job_of_the_call_has_its_id(names, call_context):
    with pytest.raises(NoCallContext):
        str(names["__jid__"])

    with api.use(call_context().replace(job={"jid": "2026"})):
        assert names["__jid__"] == "2026"


def test_values_that_a_plugin_stores_belong_to_the_call(names, call_context):
    context = call_context()

    names["__context__"]["retcode"] = 2

    assert context.scratch["retcode"] == 2


def test_the_user_of_a_state_is_shown_to_copies_of_stocks_modules(names, call_context):
    with api.use(call_context().replace(run_as=RunAs("web", "secret"))) as context:
        shown = names["__context__"]
        assert (shown["runas"], shown["runas_password"]) == ("web", "secret")
        shown["other"] = 1
        assert dict(context.scratch) == {"other": 1}


@pytest.mark.parametrize("kind", ["runners", "wheel"])
def test_functions_on_the_master_see_their_own_kind_and_the_user_of_the_call(call_context, kind):
    names = stock_dunders(kind)

    with api.use(call_context(tables={kind: {"x.f": lambda: kind}}).replace(job={"user": "fred"})):
        assert names["__salt__"]["x.f"]() == kind
        assert names["__user__"] == "fred"
    assert "__user__" not in stock_dunders("modules")


def test_settings_are_a_dict_with_what_the_call_has(names, call_context):
    call_context(opts={"a": 1}, pillar={"p": 1}, grains={"os": "Mine"})
    opts = names["__opts__"]

    assert isinstance(opts, dict)
    assert json.loads(json.dumps(opts)) == {**opts} == dict(opts)
    assert json.loads(json.dumps(opts))["pillar"] == {"p": 1}
    assert (opts | {"b": 2})["a"] == ({"b": 2} | opts)["a"] == 1
    opts |= {"b": 3}
    assert (api.current().opts["b"], "" in opts) == (3, False)
    assert (lambda **given: given)(**opts)["grains"] == {"os": "Mine"}
