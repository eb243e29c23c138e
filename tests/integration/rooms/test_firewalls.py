"""iptables and nftables in a network namespace; firewalld through its offline program."""

import os
import shutil

import pytest


@pytest.fixture
def inside(inside, need):
    """Return the command in its own network namespace with an empty packet filter."""
    need("iptables", "nft")
    return inside


def _results(outcome):
    return {tag.split("_|-")[1]: (ret["result"], ret["changes"]) for tag, ret in outcome.value.items()}


IPTABLES = """
web:
  iptables.chain_present: []
http:
  iptables.append:
    - chain: INPUT
    - jump: ACCEPT
    - match: state
    - connstate: NEW
    - dport: 80
    - protocol: tcp
    - save: {saved}
ssh:
  iptables.insert:
    - chain: INPUT
    - position: 1
    - jump: ACCEPT
    - source: '! 10.0.0.0/8'
    - comment: hello you
    - dports: [22, 2222]
    - proto: tcp
log:
  iptables.append:
    - chain: web
    - jump: LOG
    - log-prefix: 'a b '
policy:
  iptables.set_policy:
    - chain: FORWARD
    - policy: DROP
six:
  iptables.append:
    - chain: INPUT
    - family: ipv6
    - jump: DROP
    - proto: udp
gone:
  iptables.delete:
    - chain: INPUT
    - jump: REJECT
    - proto: udp
"""


def test_iptables_rules_are_set_once_and_saved(inside):
    saved = inside.out / "rules.v4"
    inside.write({"fw.sls": IPTABLES.format(saved=saved)})

    planned = inside("state.apply", "fw", "test=True")
    first = inside("state.apply", "fw")
    second = inside("state.apply", "fw")

    assert {result for result, _ in _results(planned).values()} == {None, True}
    assert {result for result, _ in _results(first).values()} == {True}
    assert _results(first)["http"] == (True, {"locale": "http"})
    assert all(changes == {} for _, changes in _results(second).values())
    rules = inside("iptables.get_rules").value["filter"]
    assert rules["INPUT"]["rules_comment"]["hello you"]["source"] == ["! 10.0.0.0/8"]
    assert rules["web"]["rules"] == [{"jump": ["LOG"], "log-prefix": ["a b "]}]
    assert rules["FORWARD"]["policy"] == "DROP"
    assert "--dport 80" in saved.read_text()


def test_aggregated_iptables_rules_are_all_set(inside):
    rule = "r{0}: {{iptables.append: [chain: INPUT, proto: tcp, dport: {0}, jump: ACCEPT]}}"
    inside.write({"fw.sls": "\n".join(rule.format(port) for port in (80, 81, 82))})

    outcome = inside("state.apply", "fw", state_aggregate=["iptables"])

    assert outcome.value["iptables_|-r80_|-r80_|-append"]["changes"] == {"locale": ["r80", "r81", "r82"]}
    rules = inside("iptables.get_rules").value["filter"]["INPUT"]["rules"]
    assert [rule["destination_port"] for rule in rules] == [["80"], ["81"], ["82"]]


def test_a_missing_iptables_target_is_reported(inside):
    outcome = inside("state.single", "iptables.append", "bad", "chain=INPUT", "jump=NOSUCH")

    (ret,) = outcome.value.values()
    assert ret["result"] is False
    assert "-j NOSUCH" in ret["comment"] or "--jump NOSUCH" in ret["comment"]


NFTABLES = """
filter:
  nftables.table_present: []
input:
  nftables.chain_present:
    - table_type: filter
    - hook: input
    - priority: 0
many:
  nftables.append:
    - table: filter
    - chain: input
    - proto: tcp
    - dports: 80,443
    - connstate: new,established
    - source: 10.0.0.0/8
    - if: eth0
    - counter: True
    - jump: accept
first:
  nftables.insert:
    - table: filter
    - chain: input
    - proto: udp
    - dport: 53
    - jump: drop
policy:
  nftables.set_policy:
    - chain: input
    - policy: drop
"""


def test_nftables_rules_are_set_once_and_deleted(inside):
    inside.write({"fw.sls": NFTABLES})

    first = inside("state.apply", "fw")
    second = inside("state.apply", "fw")
    deleted = inside(
        *("state.single", "nftables.delete", "first", "table=filter", "chain=input"),
        *("proto=udp", "dport=53", "jump=drop"),
    )

    assert all(result is True and changes for result, changes in _results(first).values())
    assert all(changes == {} for _, changes in _results(second).values())
    assert _results(deleted)["first"] == (True, {"locale": "first"})
    assert inside("nftables.get_policy", "filter", "input").value == "drop"
    assert "udp" not in inside("nftables.get_rules").value[0]


def test_an_nftables_rule_that_makes_no_sense_is_reported_in_the_programs_words(inside):
    inside("nftables.new_table", "filter")
    inside("nftables.new_chain", "filter", "input")

    outcome = inside("state.single", "nftables.append", "bad", "table=filter", "chain=input", "jump=nonsense")

    (ret,) = outcome.value.values()
    assert ret["result"] is False
    assert "syntax error" in ret["comment"]


FIREWALLD = """
public:
  firewalld.present:
    - services: [http, ssh]
    - prune_services: True
    - ports: [8080/tcp, 9000-9010/udp]
    - port_fwd: ['22:2222:tcp', '80:8080:tcp:10.0.0.9']
    - block_icmp: [echo-reply]
    - masquerade: True
    - sources: [10.1.0.0/16]
    - rich_rules:
      - rule family="ipv4" source address=10.9.0.0/16 service name='ssh' accept
mine:
  firewalld.present:
    - interfaces: [eth9]
    - default: True
"""
#: firewalld's program for machines where it does not run reads the same words but one.
OFFLINE = """#!/bin/sh
for word; do
    shift
    case "$word" in
        --permanent) ;;
        --reload) echo success; exit 0 ;;
        --remove-service=*) set -- "$@" "--remove-service-from-zone=${{word#*=}}" ;;
        *) set -- "$@" "$word" ;;
    esac
done
exec firewall-offline-cmd --system-config {config} "$@"
"""


@pytest.fixture
def offline(salt_g, need):
    """Return the command with a `firewall-cmd` that changes only files of the test."""
    need("firewall-offline-cmd")
    config = salt_g.root / "firewalld"
    for folder in ("zones", "services", "icmptypes", "helpers", "ipsets", "policies"):
        (config / folder).mkdir(parents=True)
    shutil.copy("/etc/firewalld/firewalld.conf", config)
    programs = salt_g.root / "bin"
    programs.mkdir()
    (programs / "firewall-cmd").write_text(OFFLINE.format(config=config))
    (programs / "firewall-cmd").chmod(0o755)
    return lambda *words: salt_g(
        *words, timeout=300, env={**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
    )


def test_a_zone_of_firewalld_gets_what_is_listed_once(salt_g, offline):
    salt_g.write({"fw.sls": FIREWALLD})

    first = offline("state.apply", "fw")
    second = offline("state.apply", "fw")

    assert [result for result, _ in _results(first).values()] == [True, True], first.out
    assert _results(first)["public"][1]["services"] == {
        "old": ["dhcpv6-client", "ssh"],
        "new": ["http", "ssh"],
    }
    assert all(changes == {} for _, changes in _results(second).values())
