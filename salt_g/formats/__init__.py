"""Text formats: parsers and writers."""
