"""Stock's `salt.utils.openstack`: clients of OpenStack, which salt-g does not have."""
