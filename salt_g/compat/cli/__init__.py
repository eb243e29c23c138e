"""Stock's `salt.cli`: what its programs consist of."""
