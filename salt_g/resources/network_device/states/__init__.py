"""State modules of network devices."""
