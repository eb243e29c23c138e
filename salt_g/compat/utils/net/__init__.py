"""Modules of `salt.utils` about the network: addresses, requests, certificates."""
