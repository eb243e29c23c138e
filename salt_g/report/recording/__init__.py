"""Recording of what state runs read: paths, read-sets, and known reads of earlier runs."""
