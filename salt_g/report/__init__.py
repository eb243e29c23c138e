"""Jobs, events and state runs summarized for people."""
