"""Every target type, with plain values."""

import pytest

from salt_g.errors import TargetError
from salt_g.match.matchers import MinionView, matches
from tests.support.range_server import running_range_server

MINION = MinionView(
    "web1.example",
    grains={
        "role": "Web",
        "roles": ["db", {"cache": {"size": 3}}],
        "net": {"eth0": {"mtu": 1500}, "lo": {"mtu": 65536}},
        "url": "http://x:80",
        "ipv4": ["127.0.0.1", "10.1.2.3"],
        "ipv6": ["fd00::5"],
        "empty": {},
    },
    pillar={"tier": "front", "app": {"name": "shop"}},
    nodegroups={
        "webs": "web* and G@role:web",
        "ids": ["web1.example", "web2"],
        "regex": "web[0-9].example",
        "nested": "N@webs and not N@other",
        "other": "other*",
        "loop": "N@loop2 or x*",
        "loop2": "N@loop or x*",
    },
    data={"k": ["One", "two"], "m": {"a": 1}, "t": "text"}.get,
)


def is_meant(tgt, tgt_type, **options):
    return matches(tgt, tgt_type, MINION, **options)


@pytest.mark.parametrize(
    ("tgt", "tgt_type"),
    [
        ("web*", "glob"),
        ("web?.exampl[a-e]", "glob"),
        (r"web\d", "pcre"),
        ("a,web1.example,b", "list"),
        (["a", "web1.example"], "list"),
        ("role:web", "grain"),
        ("roles:db", "grain"),
        ("roles:cache", "grain"),
        ("roles:cache:size:3", "grain"),
        ("net:eth0:mtu:15*", "grain"),
        ("net:*:mtu:1500", "grain"),
        ("net:*", "grain"),
        ("*:eth0", "grain"),
        ("url:http://x:80", "grain"),
        (r"role:w.b$", "grain_pcre"),
        (r"role:\S+$", "grain_pcre"),
        ("tier:fr*", "pillar"),
        ("app:name:sh.p", "pillar_pcre"),
        ("tier:Front", "pillar_exact"),
        ("10.1.0.0/16", "ipcidr"),
        ("10.1.2.3", "ipcidr"),
        ("fd00::/8", "ipcidr"),
        ("webs", "nodegroup"),
        ("ids", "nodegroup"),
        ("regex", "nodegroup"),
        ("nested", "nodegroup"),
        ("web1.example", "managing_minion"),
        ("k:one", "data"),
        ("m:a", "data"),
        ("t:te*", "data"),
    ],
)
def test_the_minion_is_meant(tgt, tgt_type):
    assert is_meant(tgt, tgt_type)


@pytest.mark.parametrize(
    ("tgt", "tgt_type"),
    [
        ("Web*", "glob"),
        (["web1.example"], "glob"),
        ("eb1", "pcre"),
        ("web", "list"),
        (None, "list"),
        ("role", "grain"),
        ("role:db", "grain"),
        ("empty:x", "grain"),
        ("nope:x", "grain"),
        ("role:(", "grain_pcre"),
        ("tier:fr*", "pillar_exact"),
        ("tier:front ", "pillar_exact"),
        ("192.0.2.0/24", "ipcidr"),
        ("nonsense", "ipcidr"),
        ("nope", "nodegroup"),
        ("loop", "nodegroup"),
        ("switch:s2", "resource"),
        ("router", "resource"),
        ("k", "data"),
        ("k:three", "data"),
        ("none:x", "data"),
    ],
)
def test_the_minion_is_not_meant(tgt, tgt_type):
    assert not is_meant(tgt, tgt_type)


def test_another_delimiter_separates_key_and_value():
    assert is_meant("net|eth0|mtu|1500", "grain", delimiter="|")
    assert not is_meant("net:eth0:mtu:1500", "grain", delimiter="|")


def test_an_unknown_target_type_is_an_error_that_lists_the_known_ones():
    with pytest.raises(TargetError, match=r"'grian' does not exist.*grain_pcre"):
        is_meant("role:web", "grian")


def test_a_range_target_asks_the_server_for_the_name_of_the_minion():
    with running_range_server({"%web": ["web1.example", "web2"], "%db": ["db1"]}) as address:
        minion = MINION._replace(grains={"fqdn": "web1.example"}, range_server=address)

        assert matches("%web", "range", minion)
        assert not matches("%db", "range", minion)
        with pytest.raises(TargetError, match="NOCLUSTER %none"):
            matches("%none", "range", minion)


def test_a_range_target_without_a_server_is_an_error():
    with running_range_server({}) as address:
        pass

    with pytest.raises(TargetError, match="does not answer"):
        matches("%web", "range", MINION._replace(range_server=address))
