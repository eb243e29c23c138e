"""Distribution points of revocation lists, for certificates and for the lists themselves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from cryptography import x509

import salt_g.x509.confstring as confstring
from salt_g.errors import InvocationError
from salt_g.x509.names import general_name, general_names, relative_name


def distribution_points(value: Any) -> list[x509.DistributionPoint]:
    """Parse distribution points: a text `URI:http://…, URI:…`, or a list that may contain full dicts."""
    if isinstance(value, Mapping) or not isinstance(value, (list, tuple)):
        value = [value] if isinstance(value, Mapping) else confstring.words(value)
    return [_point(item) for item in value if item != "critical"]


def issuing_distribution_point(value: Any) -> x509.IssuingDistributionPoint:
    """Parse a dict with `fullname` or `relativename` and the restrictions of the list."""
    if not isinstance(value, Mapping):
        raise InvocationError("issuingDistributionPoint must be a dictionary")
    relative = value.get("relativename")
    return x509.IssuingDistributionPoint(
        full_name=_names(value.get("fullname")),
        relative_name=relative_name(relative) if relative else None,
        only_contains_user_certs=bool(value.get("onlyuser", False)),
        only_contains_ca_certs=bool(value.get("onlyCA", False)),
        only_some_reasons=_reasons(value.get("onlysomereasons")),
        indirect_crl=bool(value.get("indirectCRL", False)),
        only_contains_attribute_certs=bool(value.get("onlyAA", False)),
    )


def _point(item: Any) -> x509.DistributionPoint:
    if not isinstance(item, Mapping):
        return x509.DistributionPoint(_names(item), None, None, None)
    if len(item) == 1 and next(iter(item)) not in ("fullname", "relativename", "crlissuer"):
        # An item such as `- URI: http://…` is a name as a dict.
        return x509.DistributionPoint(general_names(confstring.pairs(item)), None, None, None)
    relative = item.get("relativename")
    return x509.DistributionPoint(
        full_name=_names(item.get("fullname")),
        relative_name=relative_name(relative) if relative else None,
        reasons=_reasons(item.get("reasons")),
        crl_issuer=_names(item.get("crlissuer")),
    )


def _names(value: Any) -> list[x509.GeneralName] | None:
    if not value:
        return None
    return [general_name(name) for name in (value if isinstance(value, list) else [value])]


def _reasons(value: Iterable[str] | None) -> frozenset[x509.ReasonFlags] | None:
    return frozenset(x509.ReasonFlags(reason) for reason in value) if value else None
