"""`salt.utils.*` about services on the network, and helpers for few plugins."""
