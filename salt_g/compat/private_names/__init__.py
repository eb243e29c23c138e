"""Modules of stock from which users' plugins import private names, with those names."""
