"""Services and zones of firewalld, with fake functions that record their calls."""

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.states import firewalld


@pytest.fixture
def calls(call_context):
    """Return the calls of functions that change something."""
    made = []

    def changing(name):
        def function(*args, **kwargs):
            made.append((name, *args))
            return "success"

        return function

    verbs = ("new_service", "add_service_port", "remove_service_port", "add_service_protocol")
    zones = ("new_zone", "reload_rules", "add_rich_rule", "add_masquerade", "block_icmp")
    functions = {f"firewalld.{name}": changing(name) for name in (*verbs, *zones)}
    known = {
        "get_services": lambda *args, **kwargs: ["mine"],
        "get_service_ports": lambda service: ["1/tcp", "2/tcp"],
        "get_service_protocols": lambda service: [],
        "get_zones": lambda permanent: ["public"],
        "get_rich_rules": lambda zone, permanent: ['rule service name="ssh" accept'],
        "get_icmp_types": lambda permanent: ["echo-reply"],
        "list_icmp_block": lambda zone, permanent: [],
        "get_masquerade": lambda zone, permanent: False,
    }
    functions.update({f"firewalld.{name}": function for name, function in known.items()})
    made_context = call_context(functions=functions, opts={"test": False})
    return made, made_context


def test_a_service_gets_exactly_its_ports(calls):
    made, _ = calls

    ret = firewalld.service("mine", ports=["2/tcp", "3/tcp"])

    assert ret["changes"] == {"ports": {"old": ["1/tcp", "2/tcp"], "new": ["2/tcp", "3/tcp"]}}
    assert made == [
        ("add_service_port", "mine", "3/tcp"),
        ("remove_service_port", "mine", "1/tcp"),
        ("reload_rules",),
    ]


def test_a_new_service_without_ports_is_a_change(calls, call_context):
    made, context = calls

    ret = firewalld.service("fresh")

    assert (ret["result"], ret["comment"]) == (True, "'fresh' was configured.")
    assert ret["changes"] == {"fresh": {"old": None, "new": "fresh"}}
    assert made == [("new_service", "fresh"), ("reload_rules",)]
    made.clear()
    call_context(functions=context.table("modules"), opts={"test": True})
    planned = firewalld.service("fresh")
    assert (planned["result"], planned["comment"]) == (None, "Configuration for 'fresh' will change.")
    assert planned["changes"] == ret["changes"]
    assert made == []


def test_a_new_service_with_ports_has_stocks_changes(calls):
    made, _ = calls

    ret = firewalld.service("fresh", ports=["1/tcp"])

    assert ret["changes"] == {"ports": {"old": [], "new": ["1/tcp"]}}
    assert made == [("new_service", "fresh"), ("add_service_port", "fresh", "1/tcp"), ("reload_rules",)]


def test_a_service_that_fails_half_way_reports_what_was_done(calls):
    _, context = calls

    def refuse(service, port):
        raise CommandExecutionError("firewall-cmd failed: INVALID_PORT")

    context.table("modules")["firewalld.add_service_port"] = refuse

    ret = firewalld.service("fresh", ports=["x"])

    assert ret["result"] is False
    assert ret["changes"] == {"fresh": {"old": None, "new": "fresh"}}


def test_rich_rules_are_compared_as_firewalld_writes_them(calls):
    made, _ = calls

    ret = firewalld.present("public", rich_rules=["rule service name='ssh' accept"])

    assert ret["comment"] == "'public' is already in the desired state."
    assert made == []


def test_a_zone_that_fails_half_way_reports_what_was_done(calls, monkeypatch):
    _, context = calls

    def refuse(zone, rule, permanent):
        raise CommandExecutionError("firewall-cmd failed: INVALID_RULE")

    context.table("modules")["firewalld.add_rich_rule"] = refuse

    ret = firewalld.present("public", masquerade=True, rich_rules=["rule nonsense"])

    assert ret["result"] is False
    assert ret["comment"] == "Error: firewall-cmd failed: INVALID_RULE"
    assert ret["changes"] == {"masquerade": {"old": False, "new": "Masquerading successfully set."}}


def test_an_unknown_icmp_type_is_named(calls):
    ret = firewalld.present("public", block_icmp=["echo"])

    assert ret["comment"] == "Error: echo is an invalid ICMP type. Valid: echo-reply"
