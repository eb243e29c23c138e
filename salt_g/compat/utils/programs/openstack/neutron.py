"""Stock's `salt.utils.openstack.neutron`, which salt-g does not have."""

from salt_g.compat.refusal import refuse

HAS_NEUTRON = False
SaltNeutron = refuse("salt.utils.openstack.neutron.SaltNeutron", "use openstacksdk in a module of your own")


def check_neutron() -> bool:
    """Return False, because there is no client."""
    return False


__all__ = ["HAS_NEUTRON", "SaltNeutron", "check_neutron"]
