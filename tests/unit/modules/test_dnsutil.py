"""Host files and zone files."""

import pytest

from salt_g.errors import InvocationError
from salt_g.modules import dnsutil

ZONE = """\
$TTL 3600
$ORIGIN example.com.
@ IN SOA ns1.example.com. root.example.com. ( 2026010101 ; serial
  1D 2H
  1W
  3600 )
@ IN NS ns1.example.com.
@ IN MX 10 mail.example.com.
www IN CNAME web.example.com.
web 300 IN A 10.0.0.1
"""


def test_a_hosts_file_becomes_names_by_address(tmp_path):
    path = tmp_path / "hosts"
    path.write_text("127.0.0.1 localhost\n# a comment\n\n127.0.0.1 vm\n::1 ip6-localhost\n")

    assert dnsutil.parse_hosts(str(path)) == {"127.0.0.1": ["localhost", "vm"], "::1": ["ip6-localhost"]}


def test_a_missing_hosts_file_is_reported(tmp_path):
    assert dnsutil.parse_hosts(str(tmp_path / "none")) == "Error: hosts data was not found"


def test_only_new_names_are_appended(tmp_path):
    path = tmp_path / "hosts"
    path.write_text("10.0.0.1 a\n")

    added = dnsutil.hosts_append(str(path), "10.0.0.1", "a,b")
    again = dnsutil.hosts_append(str(path), "10.0.0.1", "a,b")

    assert added == f"The following line was added to {path}:\n10.0.0.1 b"
    assert again == f"No additional hosts were added to {path}"
    assert path.read_text() == "10.0.0.1 a\n\n10.0.0.1 b"


def test_an_address_without_names_left_goes_as_well(tmp_path):
    path = tmp_path / "hosts"
    path.write_text("# kept\n10.0.0.1 a b\n10.0.0.2   c\n")

    dnsutil.hosts_remove(str(path), "b,c")

    assert path.read_text() == "# kept\n10.0.0.1 a\n"


def test_names_are_required(tmp_path):
    with pytest.raises(InvocationError, match="needs ip_addr and entries"):
        dnsutil.hosts_append(str(tmp_path / "hosts"))
    with pytest.raises(InvocationError, match="needs entries"):
        dnsutil.hosts_remove(str(tmp_path / "hosts"))


def test_a_zone_becomes_records_by_type():
    assert dnsutil.parse_zone(zone=ZONE) == {
        "TTL": "3600",
        "ORIGIN": "example.com.",
        "NETWORK": "IN",
        "SOURCE": "ns1.example.com.",
        "CONTACT": "root@example.com.",
        "SERIAL": "2026010101",
        "REFRESH": 86400,
        "RETRY": 7200,
        "EXPIRE": 604800,
        "MINTTL": 3600,
        "NS": ["ns1.example.com."],
        "MX": [{"priority": "10", "host": "mail.example.com."}],
        "CNAME": {"www.example.com.": "web.example.com."},
        "A": {"web.example.com.": {"TARGET": "10.0.0.1", "TTL": "300"}},
    }


def test_no_zone_is_reported(tmp_path):
    assert dnsutil.parse_zone(str(tmp_path / "none")) == "Error: Zone data was not found"


def test_look_ups_without_dig(call_context):
    call_context(functions={"cmd.which": lambda program: None})

    assert dnsutil.A("127.0.0.1") == ["127.0.0.1"]
    assert dnsutil.MX("example.com") == "This function requires dig, which is not currently available"


def test_a_serial_number_of_today_is_raised_by_one(call_context):
    kept = {}
    table = {
        "grains.get": lambda key: kept.get(key, ""),
        "grains.setval": lambda key, val: kept.update({key: val}),
    }
    call_context(functions=table)

    first = dnsutil.serial("example.com", update=True)
    second = dnsutil.serial("example.com", update=True)

    assert first.endswith("01")
    assert int(second) == int(first) + 1
    assert dnsutil.serial("example.com") == second
