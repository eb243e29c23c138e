"""Stock's `salt.ext`: libraries that it once bundled."""
