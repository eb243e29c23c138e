"""Values that every part shares: nested data, job ids, text diffs, version conditions."""
