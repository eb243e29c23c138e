"""Stock's `salt.utils.openstack.pyrax`, which salt-g does not have."""

from salt_g.compat.refusal import refuse

HAS_PYRAX = False
RackspaceAuth = refuse("salt.utils.openstack.pyrax.RackspaceAuth", "use openstacksdk in a module of your own")

__all__ = ["HAS_PYRAX", "RackspaceAuth"]
