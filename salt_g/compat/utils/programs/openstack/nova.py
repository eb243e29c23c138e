"""Stock's `salt.utils.openstack.nova`, which salt-g does not have."""

from salt_g.compat.refusal import refuse

HAS_NOVA = False
SaltNova = refuse("salt.utils.openstack.nova.SaltNova", "use openstacksdk in a module of your own")


def check_nova() -> bool:
    """Return False, because there is no client."""
    return False


__all__ = ["HAS_NOVA", "SaltNova", "check_nova"]
