"""Modules of stock, with the private names that users' plugins import from them."""
