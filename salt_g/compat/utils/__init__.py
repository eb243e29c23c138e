"""Stock's `salt.utils`: only what users' plugins were seen to import."""
