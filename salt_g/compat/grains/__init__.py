"""Stock's `salt.grains`: only the file that users' grains are known to import."""
