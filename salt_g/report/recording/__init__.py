"""Record of what state runs read: paths, sets, and what is known of earlier runs."""
