"""`salt.utils.boto3mod` and `salt.utils.botomod` for plugins: the results of stock 3008."""

import importlib
import sys
import types

import pytest

from salt_g import api
from salt_g.compat.utils.net import boto3mod, botomod
from salt_g.errors import InvocationError
from salt_g.loader import dunders, import_shim


@pytest.fixture
def aws(call_context, monkeypatch):
    """Provide a fake library boto3 that returns its arguments, in a call with a region in its settings."""
    session, errors = types.ModuleType("boto3.session"), types.ModuleType("botocore.exceptions")
    errors.NoCredentialsError = type("NoCredentialsError", (Exception,), {})

    def client(**about):
        if about["region_name"] == "nowhere":
            raise errors.NoCredentialsError
        return types.SimpleNamespace(client=lambda module: (module, about))

    session.Session = client
    for module in (session, errors):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    context = call_context(
        opts={"ec2.region": "eu-west-1", "work": {"region": "r2", "key": "s", "keyid": "k"}}
    )
    with api.use(context.replace(pillar={"master": {"sqs.key": "S"}, "sqs.keyid": "K"})):
        yield


@pytest.mark.parametrize(
    ("arguments", "region", "keyid"),
    [
        ({"service": "ec2"}, "eu-west-1", None),
        ({"service": "ec2", "region": "r1", "keyid": "a", "key": "b"}, "r1", "a"),
        ({"service": "ec2", "region": "r1", "profile": "work"}, "r2", "k"),
        ({"service": "ec2", "profile": {"keyid": "x", "key": "y"}}, "eu-west-1", "x"),
        ({"service": "sqs"}, "us-east-1", "K"),
    ],
)
def test_a_connection_takes_profile_arguments_and_settings(aws, arguments, region, keyid):
    module, about = boto3mod.get_connection(**arguments)

    assert (module, about["region_name"], about["aws_access_key_id"]) == (arguments["service"], region, keyid)


def test_a_connection_is_kept_during_a_run(aws):
    assert boto3mod.get_connection("ec2") is boto3mod.get_connection("ec2")
    assert boto3mod.get_connection("ec2") is not boto3mod.get_connection("ec2", profile="work")


def test_errors_say_what_is_missing(aws):
    with pytest.raises(InvocationError, match="profile 'nosuch' is not a mapping"):
        boto3mod.get_connection("ec2", profile="nosuch")
    with pytest.raises(InvocationError, match='ec2 connection to region "nowhere"'):
        boto3mod.get_connection("ec2", region="nowhere")
    with pytest.raises(InvocationError, match="needs the library boto:"):
        botomod.get_connection("nosuch_service")


def test_ids_are_kept_by_name_and_forgotten_by_name_or_id(aws):
    cache_id = boto3mod.cache_id_func("ec2")

    assert [cache_id("web"), cache_id("web", resource_id="i-1"), cache_id("web")] == [None, True, "i-1"]
    assert cache_id("web", sub_resource="disk") is None
    assert [cache_id("other", resource_id="i-1", invalidate=True), cache_id("web")] == [True, None]
    assert cache_id("web", invalidate=True) is False


def test_a_plugin_gets_the_functions_of_its_service(aws, monkeypatch):
    plugin = types.ModuleType("boto3_mine")
    monkeypatch.setitem(sys.modules, "boto3_mine", plugin)

    boto3mod.assign_funcs("boto3_mine", "ec2", get_conn_funcname="connect", exactly_one_funcname=None)

    assert plugin.connect()[0] == "ec2"
    assert plugin._cache_id("web") is None
    assert not hasattr(plugin, "_exactly_one")


def test_utilities_are_offered_under_stock_names_if_their_libraries_are_there(aws, monkeypatch):
    import_shim.install()
    library = importlib.import_module("salt.utils.boto3mod")

    monkeypatch.setattr(library, "__virtual__", lambda: (False, "no boto3"))
    refused = dunders.stock_util("boto3.get_region")
    with pytest.raises(LookupError, match="^'boto3.get_region' is not available: no boto3$"):
        dunders.UtilFunctions()["boto3.get_region"]
    monkeypatch.setattr(library, "__virtual__", lambda: "boto3")

    assert refused is None
    assert dunders.stock_util("boto3.get_region")("ec2", None, "work") == "r2"


def test_pages_follow_their_marker():
    pages = {None: {"n": 1, "NextMarker": "b"}, "b": {"n": 2}}

    assert [page["n"] for page in boto3mod.paged_call(lambda Marker=None: pages[Marker])] == [1, 2]


def test_values_of_json_are_equal_in_any_order():
    assert boto3mod.json_objs_equal({"a": [2, 1], "b": [["y", "x"]]}, {"b": [["x", "y"]], "a": (1, 2)})
    assert [boto3mod.exactly_one(values) for values in ((1, 0), (1, 1), ())] == [True, False, False]


def test_an_error_of_the_older_library_has_the_fields_of_the_server():
    exc = Exception("x")
    exc.reason, exc.message, exc.error_code, exc.status = "Bad Request", "no such group", "Nope", 400

    about = botomod.get_error(exc)

    assert about["message"] == "Bad Request: no such group"
    assert about["aws"] == {
        "status": 400,
        "reason": "Bad Request",
        "message": "no such group",
        "code": "Nope",
    }
    assert botomod.get_error(Exception("x")) == {"message": ""}
