"""Text formats to values and back."""
