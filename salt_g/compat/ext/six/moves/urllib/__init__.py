"""Stock's `salt.ext.six.moves.urllib`."""
