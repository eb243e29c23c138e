"""Stock's `salt.utils.validate`."""
