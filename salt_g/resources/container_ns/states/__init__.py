"""State modules of namespaces and roots."""
