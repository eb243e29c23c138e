"""Distinguished names, general names and object identifiers."""

import pytest

from salt_g import x509
from salt_g.errors import CommandExecutionError, InvocationError, SaltGError

NAME = "CN=web,O=Example,C=DE"


@pytest.mark.parametrize("value", [NAME, ["C=DE", "O=Example", "CN=web"]])
def test_a_name_has_several_forms(value):
    name = x509.names.distinguished_name(value)

    assert name.rfc4514_string() == NAME
    assert x509.names.distinguished_name(name) is name


def test_attributes_of_a_mapping_have_a_fixed_order():
    name = x509.names.distinguished_name({"CN": "web", "C": "DE", "O": "Example"})

    assert x509.names.plain(name) == {"C": "DE", "O": "Example", "CN": "web"}
    assert x509.names.common_name(name) == "web"
    assert x509.names.common_name(x509.names.distinguished_name({"O": "Example"})) is None


@pytest.mark.parametrize("value", ["no name", 3, ["CN=a,O=b"]])
def test_a_malformed_name_is_refused(value):
    with pytest.raises(SaltGError):
        x509.names.distinguished_name(value)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("DNS:*.example.org", "DNS:*.example.org"),
        ("dns:grün.example.org", "DNS:xn--grn-ioa.example.org"),
        ("email:ann@example.org", "mail:ann@example.org"),
        ("URI:http://ann@grün.example.org:80/x", "URI:http://ann@xn--grn-ioa.example.org:80/x"),
        ("IP:192.0.2.1", "IP:192.0.2.1"),
        ("IP:192.0.2.0/24", "IP:192.0.2.0/24"),
        ("RID:1.2.3.4", "RID:1.2.3.4"),
        ("dirName:CN=web", "dirName:CN=web"),
    ],
)
def test_general_names_are_parsed_and_shown(text, shown):
    assert x509.names.shown(x509.names.general_name(text)) == shown


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("example.org", "with its kind"),
        ("DNS:a b", "not allowed"),
        ("email:ann@.example.org", "Leading dots"),
        ("URI:http://*.example.org/", "Wildcards"),
        ("IP:192.0.2.300", "IP address"),
        ("RID:1.x", "Invalid oid"),
        ("otherName:x", "not implemented"),
        ("fax:1", "is invalid"),
    ],
)
def test_a_malformed_general_name_is_refused(text, error):
    with pytest.raises((CommandExecutionError, InvocationError), match=error):
        x509.names.general_name(text)
