"""Stock's `salt.utils.openstack.swift`, which salt-g does not have."""

from salt_g.compat.refusal import refuse

HAS_SWIFT = False
SaltSwift = refuse("salt.utils.openstack.swift.SaltSwift", "use openstacksdk in a module of your own")


def check_swift() -> bool:
    """Return False, because there is no client."""
    return False


__all__ = ["HAS_SWIFT", "SaltSwift", "check_swift"]
