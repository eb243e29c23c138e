"""Stock's `salt.daemons`: the package of the daemons' modules."""
