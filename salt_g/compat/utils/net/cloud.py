"""Stock's `salt.utils.cloud`: the parts that need no cloud."""

import ipaddress

from salt_g.compat.exceptions import SaltException


class SaltCloudException(SaltException):
    """Raised when a cloud refuses a request."""


def is_public_ip(ip: str) -> bool:
    """Return whether an address is not in a private network."""
    return not ipaddress.ip_address(ip.strip("[]")).is_private


__all__ = ["SaltCloudException", "is_public_ip"]
