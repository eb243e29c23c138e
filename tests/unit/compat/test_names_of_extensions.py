"""Names below `salt.` that few extensions import behave as in stock 3008, whose values are recorded here."""

import os
from collections import OrderedDict
from xml.etree import ElementTree

import pytest
import yaml as pyyaml

from salt_g.compat import config, fileserver, key
from salt_g.compat.client.ssh.shell import Shell
from salt_g.compat.daemons import masterapi
from salt_g.compat.refusal import refuse
from salt_g.compat.utils.calls import args, dockermod, proxy
from salt_g.compat.utils.host import files, path, user, verify
from salt_g.compat.utils.net import cloud, http, pagerduty, url, virt
from salt_g.compat.utils.values import (
    compat,
    data,
    pycrypto,
    stringutils,
    xmlutil,
    yaml,
    yamldumper,
    yamlloader,
)
from salt_g.errors import CommandExecutionError, SaltGError
from salt_g.formats.ordered import Ordered


@pytest.mark.parametrize(
    ("old", "new", "options", "found"),
    [
        ({"a": 1, "b": 2}, {"a": 1, "b": 3}, {}, ({"b": 2}, {"b": 3})),
        (
            {"a": {"x": 1, "y": 2}},
            {"a": {"x": 1, "y": 3, "z": 4}},
            {},
            ({"a": {"y": 2}}, {"a": {"y": 3, "z": 4}}),
        ),
        ({"a": 1}, {"b": 1}, {}, ({"a": 1}, {"b": 1})),
        ({"a": 1}, {"b": 1}, {"ignore_missing_keys": True}, ({}, {"b": 1})),
        ({"a": 1, "c": 2}, {"a": 2, "c": 3}, {"ignore_keys": ["c"]}, ({"a": 1}, {"a": 2})),
        ([1, 2, 3], [1, 3, 2], {}, ([2, 3], [3, 2])),
        ([1, 2, 3], [1, 3, 2], {"ignore_order": True}, None),
        ([1, 2], [1], {}, ([2], [])),
        ({"l": [{"a": 1}]}, {"l": [{"a": 2}]}, {}, ({"l": [{"a": 1}]}, {"l": [{"a": 2}]})),
        ("a", "b", {}, ("a", "b")),
        ({1, 2}, {2, 3}, {}, ({1}, {3})),
        ([1], (1,), {}, None),
        ({}, {}, {}, None),
    ],
)
def test_recursive_differences_are_stocks(old, new, options, found):
    wanted = {"old": found[0], "new": found[1]} if found else {}

    assert data.recursive_diff(old, new, **options) == wanted


def test_values_at_a_path_have_the_keys_of_its_placeholders():
    assert data.get_value({"a": {"b": 1}}, "a:b") == [{"value": 1}]
    assert data.get_value({"a": [{"v": 1}, {"v": 2}]}, "a:{i}:v") == [
        {"value": 1, "i": 0},
        {"value": 2, "i": 1},
    ]
    assert data.get_value({"a": 1}, "b", 7) == [{"value": 7}]
    assert [data.exactly_one(items) for items in ([0, None, 1], [1, 1], [], ["a", ""])] == [1, 0, 0, 1]


@pytest.mark.parametrize(
    ("size", "binary", "metric"),
    [
        ("2G", 2147483648, 2147483648),
        ("30MB", 31457280, 30000000),
        ("64KiB", 65536, 65536),
        ("1.5G", 1610612736, 1610612736),
        ("2 GB", 2147483648, 2000000000),
        ("1kb", 1024, 1000),
        ("10", 10, 10),
        (5, 5, 5),
        ("x", 0, 0),
        ("-1G", 0, 0),
    ],
)
def test_sizes_are_read_as_stock_reads_them(size, binary, metric):
    assert stringutils.human_to_bytes(size) == binary
    assert stringutils.human_to_bytes(size, handle_metric=True) == metric


def test_urls_are_taken_apart():
    assert url.parse("salt://a/b?saltenv=dev") == ("a/b", "dev")
    assert url.parse("a/b") == ("a/b", None)
    assert (url.escape("salt://a"), url.escape("a"), url.unescape("salt://|a")) == (
        "salt://|a",
        "|a",
        "salt://a",
    )
    assert url.add_env("salt://a", "dev") == "salt://a?saltenv=dev"
    assert url.split_env("salt://a?saltenv=dev") == ("salt://a", "dev")
    assert (url.validate("http://a", ["http"]), url.strip_proto("http://a/b")) == (True, "a/b")
    assert url.add_http_basic_auth("https://a:8/b", "u", "p") == "https://u:p@a:8/b"
    assert url.redact_http_basic_auth("x https://u:p@h/a y") == "x https://<redacted>@h/a y"
    with pytest.raises(ValueError, match="only supported for HTTPS"):
        url.add_http_basic_auth("http://a", "u", "p", https_only=True)


def test_paths_stay_in_their_directory(tmp_path):
    root = os.path.realpath(tmp_path)

    assert verify.clean_path(root, "a/../b") == f"{root}/b"
    assert verify.clean_path(root, f"{root}/a/b") == verify.clean_path(root, "../x") == ""
    assert verify.clean_path(root, f"{root}/a/b", subdir=True) == f"{root}/a/b"
    assert verify.clean_path(root, root) == "" and verify.clean_path(root, root, subdir=True) == root
    assert verify.clean_join(root, "a", "b") == f"{root}/a/b"
    with pytest.raises(SaltGError, match="Invalid path: '../a'"):
        verify.clean_join(root, "../a")


DOMAIN = (
    "<domain><name>n</name><cpu mode='m'><topology cores='2'/></cpu><vcpus><vcpu id='0'/></vcpus></domain>"
)


@pytest.mark.parametrize(
    ("values", "entry", "changed"),
    [
        ({"name": "z"}, {"path": "name", "xpath": "name"}, "<name>z</name>"),
        ({"name": "n"}, {"path": "name", "xpath": "name"}, None),
        ({}, {"path": "name", "xpath": "name"}, None),
        ({"c": {"m": "q"}}, xmlutil.attribute("c:m", "cpu", "mode"), '<cpu mode="q">'),
        ({"c": 4}, xmlutil.int_attribute("c", "cpu/topology", "cores"), '<topology cores="4" />'),
        ({"a": "v"}, {"path": "a", "xpath": "os/boot/dev"}, "<os><boot><dev>v</dev></boot></os>"),
        ({"a": "v"}, xmlutil.attribute("a", "os/boot[@k='1']", "x"), '<os><boot k="1" x="v" /></os>'),
        (
            {"v": {0: "y", 5: "e"}},
            xmlutil.attribute("v:{id}", "vcpus/vcpu[@id='$id']", "on"),
            '<vcpu id="0" on="y" /><vcpu id="5" on="e" />',
        ),
        ({"b": ["p", "q"]}, {"path": "b:{i}", "xpath": "os/boot[$i]"}, "<boot>p</boot><boot>q</boot>"),
    ],
)
def test_documents_are_changed_to_what_the_data_have(values, entry, changed):
    document = ElementTree.fromstring(DOMAIN)

    assert xmlutil.change_xml(document, values, [entry]) == (changed is not None)
    assert changed is None or changed in xmlutil.element_to_str(document)


def test_nodes_are_removed_with_what_they_leave_empty():
    document = ElementTree.fromstring("<a><cpu mode='m'><topology cores='2'/></cpu></a>")
    entries = [xmlutil.attribute("m", "cpu", "mode"), xmlutil.int_attribute("c", "cpu/topology", "cores")]

    assert xmlutil.change_xml(document, {"m": None, "c": None}, entries)
    assert xmlutil.element_to_str(document) == "<a />"


@pytest.mark.parametrize(
    ("text", "plain", "with_attributes"),
    [
        ("<a><b>1</b><b>2</b></a>", {"b": ["1", {"b": "2"}]}, {"b": ["1", "2"]}),
        ("<a k='v'>t</a>", {"a": "t"}, {"k": "v", "a": "t"}),
        ("<a><b y='2'>v</b></a>", {"b": "v"}, {"b": {"y": "2", "b": "v"}}),
        ("<n:a xmlns:n='u'><n:b>1</n:b></n:a>", {"b": "1"}, {"b": "1"}),
        ("<a><b>t</b><d><e>f</e></d></a>", {"b": "t", "d": {"e": "f"}}, {"b": "t", "d": {"e": "f"}}),
    ],
)
def test_xml_is_read_as_stock_reads_it(text, plain, with_attributes):
    node = ElementTree.fromstring(text)

    assert xmlutil.to_dict(node) == plain
    assert xmlutil.to_dict(node, True) == with_attributes


def test_yaml_has_classes_for_pyyamls_own_functions():
    dumper = yaml.get_dumper("IndentedSafeOrderedDumper")

    assert yaml.get_dumper("none") is None
    assert yaml.dump({"a": ["b"]}, default_flow_style=False, Dumper=dumper) == "a:\n  - b\n"
    assert list(pyyaml.load_all("a: 1\n---\nb: 2\n", Loader=yaml.SaltYamlSafeLoader)) == [{"a": 1}, {"b": 2}]
    assert yamlloader.load("a: [x]") == {"a": ["x"]}


def test_an_event_for_pagerduty_is_completed(call_context):
    sent = []

    def query(address, method, **options):
        sent.append((method, address, options["header_dict"]["Authorization"], options["data"]))
        return {"text": '{"services": [{"name": "n1", "id": "1"}]}'}

    call_context(functions={"http.query": query})
    profile = {"pagerduty.subdomain": "sub", "pagerduty.api_key": "KEY"}

    assert pagerduty.list_items("services", "name", profile) == {"n1": {"name": "n1", "id": "1"}}
    pagerduty.query("POST", profile, url="https://h/event", data={"a": 1}, service="s")
    assert sent[0] == ("GET", "https://sub.pagerduty.com/api/v1/services", "Token token=KEY", "{}")
    assert '"service_key": "s"' in sent[1][3] and '"event_type": "trigger"' in sent[1][3]
    with pytest.raises(KeyError):
        pagerduty.list_items("services", "name", {})


def test_a_request_that_fails_is_an_error(call_context):
    call_context(functions={"http.query": lambda *args, **options: {"error": "no route"}})

    with pytest.raises(
        ValueError, match="did not answer GET https://sub.pagerduty.com/api/v1/users: no route"
    ):
        pagerduty.query(subdomain="sub", action="users")


def test_stale_locks_are_removed(tmp_path):
    (tmp_path / "lock").touch()
    (tmp_path / "file").write_text("whole")

    assert fileserver.wait_lock(str(tmp_path / "lock"), str(tmp_path / "file"))
    assert not (tmp_path / "lock").exists()
    assert fileserver.wait_lock(str(tmp_path / "lock"), str(tmp_path / "file"))


def test_small_helpers(tmp_path):
    (tmp_path / "a").touch()

    assert list(path.os_walk(str(tmp_path))) == [(str(tmp_path), [], ["a"])]
    assert [compat.cmp(*pair) for pair in ((1, 2), (2, 1), ("a", "a"), ({"a": 1}, {"a": 2}))] == [
        -1,
        1,
        0,
        -1,
    ]
    assert files.get_umask() == os.umask(files.get_umask())
    assert (virt.check_remote("https://b/c"), virt.check_remote("x ftp://b")) == (True, False)
    (tmp_path / "into").mkdir()
    assert virt.download_remote((tmp_path / "a").as_uri(), f"{tmp_path}/into") == f"{tmp_path}/into/a"
    user.chugid_and_umask(None, None)
    assert (dockermod.CLIENT_TIMEOUT, dockermod.SHUTDOWN_TIMEOUT) == (60, 10)


def test_words_and_hashes(call_context):
    call_context(functions={"shadow.gen_password": lambda *args: " ".join(map(str, args))})

    assert [args.shlex_split(value) for value in ("a 'b c'", 5, None)] == [["a", "b c"], 5, None]
    assert pycrypto.gen_hash("salt", "pw") == "pw salt sha512"
    assert len(pycrypto.gen_hash(algorithm="md5").split()[0]) == 20
    assert not proxy.is_proxytype({"proxy": {"proxytype": "esxi"}}, "esxi")


def test_a_session_has_the_login_and_the_certificates():
    pytest.importorskip("requests")

    made = http.session("u", "p", ca_bundle="/ca", headers={"a": "b"})

    assert (made.auth, made.verify, made.headers["a"]) == (("u", "p"), "/ca", "b")
    assert http.session(verify_ssl=False).verify is False


@pytest.mark.parametrize(
    "refused",
    [
        key.KeyCLI,
        masterapi.RemoteFuncs,
        cloud.gen_keys,
        config.get_cloud_config_value,
        virt.VirtKey,
        Shell,
    ],
)
def test_an_unsupported_function_names_the_alternative(refused):
    with pytest.raises(CommandExecutionError, match=r"^salt\.\S+ is not available under salt-g: \S"):
        refused("x")


def test_plugins_derive_classes_from_what_is_refused():
    class Own(refuse("salt.client.ssh.Single", "use salt-g ssh")):
        def run(self):
            return 1

    with pytest.raises(
        CommandExecutionError, match="salt.client.ssh.Single is not available.* use salt-g ssh"
    ):
        Own({}, "web1")


@pytest.mark.parametrize("kind", [OrderedDict, Ordered])
def test_the_dumper_of_stock_keeps_the_order_and_writes_null_for_what_yaml_lacks(kind):
    value = kind(b=[kind(c=1)], a=object())

    text = pyyaml.dump(value, Dumper=yamldumper.get_dumper("SafeOrderedDumper"), default_flow_style=False)

    assert text == "b:\n- c: 1\na: NULL\n"
    assert yamldumper.safe_dump({"x": 1}, default_flow_style=False) == "x: 1\n"
