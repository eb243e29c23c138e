"""Distribution points of revocation lists."""

import pytest
from cryptography.x509 import ReasonFlags

from salt_g.errors import InvocationError
from salt_g.x509 import distribution, names


def full_names(points):
    return [[names.shown(name) for name in point.full_name or ()] for point in points]


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("URI:http://a/x, URI:http://b/x", [["URI:http://a/x"], ["URI:http://b/x"]]),
        ("critical, URI:http://a/x", [["URI:http://a/x"]]),
        ([{"URI": "http://a/x"}], [["URI:http://a/x"]]),
        ([{"fullname": ["URI:http://a/x", "URI:http://b/x"]}], [["URI:http://a/x", "URI:http://b/x"]]),
    ],
)
def test_points_are_text_or_mappings(value, found):
    assert full_names(distribution.distribution_points(value)) == found


def test_a_point_may_have_reasons_and_an_issuer():
    value = {"relativename": "CN=a", "reasons": ["keyCompromise"], "crlissuer": "DNS:ca.example.org"}

    (point,) = distribution.distribution_points(value)

    assert point.full_name is None and point.relative_name.rfc4514_string() == "CN=a"
    assert point.reasons == frozenset((ReasonFlags.key_compromise,))
    assert [names.shown(name) for name in point.crl_issuer] == ["DNS:ca.example.org"]


def test_an_issuing_point_restricts_its_list():
    point = distribution.issuing_distribution_point({"fullname": "URI:http://a/x", "onlyCA": True})

    assert point.only_contains_ca_certs and not point.only_contains_user_certs
    with pytest.raises(InvocationError, match="must be a dictionary"):
        distribution.issuing_distribution_point("URI:http://a/x")
