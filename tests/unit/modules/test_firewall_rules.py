"""Rules from keywords, and rules from listings."""

import pytest

from salt_g.modules import iptables, nftables
from salt_g.modules.iptables.listing import parsed
from salt_g.modules.nftables.rule import canonical


@pytest.mark.parametrize(
    ("keywords", "rule"),
    [
        ({"match": "state", "connstate": "NEW", "jump": "ACCEPT"}, "-m state --state NEW --jump ACCEPT"),
        ({"proto": "tcp", "dport": 80, "target": "DROP"}, "-p tcp --dport 80 --jump DROP"),
        (
            {"proto": "tcp", "dports": [22, 80], "jump": "DROP"},
            "-p tcp -m multiport --dports 22,80 --jump DROP",
        ),
        ({"proto": "tcp", "sports": "!1,2"}, "-p tcp -m multiport ! --sports 1,2"),
        ({"dports": "1,2"}, "Error: protocol must be specified"),
        ({"source": "! 10.0.0.0/8", "if": "not eth0"}, "! -i eth0 ! --source 10.0.0.0/8"),
        ({"comment": "a b", "j": "DROP"}, '-m comment --comment "a b" --j DROP'),
        ({"match": ["recent"], "name_": "x", "set": ""}, "-m recent --name x --set"),
        ({"match-set": "! bad src", "jump": "DROP"}, "-m set ! --match-set bad src --jump DROP"),
        ({"match": "policy", "proto": "esp", "dir": "in"}, "-m policy --proto esp --dir in"),
        ({"jump": "LOG", "log-prefix": "a b", "name": "id", "save": True}, '--jump LOG --log-prefix "a b"'),
    ],
)
def test_keywords_become_words_in_order(keywords, rule):
    assert iptables.build_rule(**keywords) == rule


def test_saved_rules_are_read_with_their_negations():
    text = (
        "*filter\n:INPUT ACCEPT [1:2]\n:web - [0:0]\n"
        '-A INPUT ! -s 10.0.0.0/8 -p tcp -m tcp --tcp-flags SYN,RST SYN -m comment --comment "a b" -j web\n'
        "-A web -p tcp -m multiport --dports 22,80 -m addrtype --limit-iface-in -j ACCEPT\nCOMMIT\n"
    )

    tables = parsed(text)

    assert tables["filter"]["INPUT"]["policy"] == "ACCEPT"
    assert tables["filter"]["INPUT"]["packet count"] == "1"
    assert tables["filter"]["INPUT"]["rules_comment"]["a b"] == {
        "source": ["! 10.0.0.0/8"],
        "protocol": ["tcp"],
        "match": ["tcp", "comment"],
        "tcp-flags": ["SYN,RST SYN"],
        "comment": ["a b"],
        "jump": ["web"],
    }
    assert tables["filter"]["web"]["rules"][0]["limit-iface-in"] == [""]


@pytest.mark.parametrize(
    ("keywords", "rule"),
    [
        (
            {"proto": "tcp", "dport": "22:25", "connstate": "new", "jump": "accept"},
            "ct state { new } tcp dport { 22-25 } accept",
        ),
        ({"proto": "udp", "dports": "53,123", "j": "drop"}, "udp dport { 123, 53 } drop"),
        (
            {"source": "10.0.0.1", "if": "eth0", "counter": True},
            "meta iifname eth0 counter ip saddr 10.0.0.1",
        ),
        ({"jump": "reject", "reject-with": "tcp reset"}, "reject reject with tcp reset"),
    ],
)
def test_keywords_become_a_rule_of_nftables(keywords, rule):
    assert nftables.build_rule(**keywords) == {
        "result": True,
        "comment": "Successfully built rule",
        "rule": rule,
    }


@pytest.mark.parametrize(
    ("written", "listed"),
    [
        ("tcp dport { 22 } accept", "tcp dport 22 accept"),
        ("tcp dport { 443, 80 } accept", "tcp dport { 80, 443 } accept"),
        ("meta iifname eth0 counter drop", 'iifname "eth0" counter packets 3 bytes 99 drop'),
    ],
)
def test_a_rule_is_known_in_the_form_in_which_it_is_listed(written, listed):
    assert canonical(written) == canonical(listed)
