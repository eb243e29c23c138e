"""Stock's `salt.cli`: the parts of the command line programs."""
