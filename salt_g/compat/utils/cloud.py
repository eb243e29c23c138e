"""Stock's `salt.utils.cloud`: what of it does not need a cloud."""

import ipaddress

from salt_g.compat.exceptions import SaltException


class SaltCloudException(SaltException):
    """Something that a cloud refused."""


def is_public_ip(ip: str) -> bool:
    """Return whether an address is none of a private network's."""
    return not ipaddress.ip_address(ip.strip("[]")).is_private


__all__ = ["SaltCloudException", "is_public_ip"]
