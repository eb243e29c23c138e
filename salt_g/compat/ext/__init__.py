"""Stock's `salt.ext`: libraries that it once carried along."""
