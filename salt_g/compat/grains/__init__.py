"""Stock's `salt.grains`: only the file that users' grains were seen to import."""
