"""Commands about a fleet over time."""
