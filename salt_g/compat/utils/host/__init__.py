"""Modules of `salt.utils` about this host: files, paths, users, terminals."""
