"""Stock's `salt.utils.validate`: the package of the validation modules."""
