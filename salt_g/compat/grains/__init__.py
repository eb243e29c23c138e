"""Stock's `salt.grains`: only the one module that users' grains are known to import."""
