"""DNS records, from recorded answers of dig."""

import pytest

from salt_g.modules import dig

ANSWERS = {
    "www.example.com A": "web.example.com.\n192.0.2.7\n192.0.2.8",
    "example.com NS": "ns1.example.com.\nns2.example.com.",
    "ns1.example.com. A": "192.0.2.1",
    "ns2.example.com. A": "192.0.2.2",
    "example.com MX": "10 mx.example.com.",
    "mx.example.com. A": "192.0.2.3",
    "six.example.com MX": "10 mx.example.com.\n20 mx6.example.com.\n30 gone.example.com.",
    "mx6.example.com. A": "",
    "mx6.example.com. AAAA": "2001:db8::3\n2001:db8::4",
    "null.example.com MX": "0 .",
    "alias.example.com MX": "example.com.\n10 mx.example.com.",
    "-x 192.0.2.7": "web.example.com.",
    "example.com SPF": "",
    "example.com TXT": '"v=spf1 ip4:192.0.2.0/24 include:other.example.com ~all"',
    "other.example.com SPF": '"v=spf1 redirect=third.example.com"',
    "third.example.com SPF": '"v=spf1 ip6:2001:db8::/32 -all"',
}


@pytest.fixture
def dig_calls(call_context):
    """Return the arguments of all calls of dig, in a call context where dig has ANSWERS."""
    calls = []

    def run_all(command, **kwargs):
        calls.append(command)
        question = " ".join(word for word in command[2:] if not word.startswith("@"))
        known = question in ANSWERS
        return {"retcode": 0 if known else 9, "stdout": ANSWERS.get(question, ""), "stderr": "", "pid": 1}

    call_context(functions={"cmd.run_all": run_all})
    return calls


@pytest.mark.parametrize("text", ["127.0.0.1", "10.0.0.0/8", "::1", "2001:db8::/32"])
def test_an_address_is_reported_with_or_without_its_network(text):
    assert dig.check_ip(text) is True


@pytest.mark.parametrize("text", ["", "name", "127.0.0.1/33", "127.0.0.1/x", "::1/4", None])
def test_other_text_is_not_an_address(text):
    assert dig.check_ip(text) is False


def test_addresses_of_a_host_leave_its_other_names_out(dig_calls):
    assert dig.A("www.example.com") == ["192.0.2.7", "192.0.2.8"]


def test_the_name_server_to_ask_is_handed_on(dig_calls):
    dig.A("www.example.com", "192.0.2.53")

    assert dig_calls == [["dig", "+short", "www.example.com", "A", "@192.0.2.53"]]


def test_name_and_mail_servers_are_resolved_on_demand(dig_calls):
    assert dig.NS("example.com") == ["192.0.2.1", "192.0.2.2"]
    assert dig.NS("example.com", resolve=False) == ["ns1.example.com.", "ns2.example.com."]
    assert dig.MX("example.com") == [["10", "mx.example.com."]]
    assert dig.MX("example.com", resolve=True) == [["10", "192.0.2.3"]]


def test_a_mail_server_without_an_ipv4_address_keeps_its_place(dig_calls):
    assert dig.MX("six.example.com", resolve=True) == [
        ["10", "192.0.2.3"],
        ["20", "2001:db8::3"],
        ["30", "gone.example.com."],
    ]
    assert dig.MX("null.example.com", resolve=True) == [["0", "."]]


def test_mail_servers_of_an_alias_are_resolved(dig_calls):
    assert dig.MX("alias.example.com", resolve=True) == [["10", "192.0.2.3"]]


def test_names_of_an_address(dig_calls):
    assert dig.PTR("192.0.2.7") == ["web.example.com."]


def test_senders_are_found_through_txt_includes_and_redirects(dig_calls):
    assert dig.SPF("example.com") == ["192.0.2.0/24", "2001:db8::/32"]


def test_a_failing_dig_finds_nothing(dig_calls):
    assert dig.A("nope.example.com") == []


def test_records_have_lowercase_names_too(dig_calls):
    assert dig.a("www.example.com") == dig.A("www.example.com") == ["192.0.2.7", "192.0.2.8"]
    assert dig.mx("example.com") == [["10", "mx.example.com."]]
