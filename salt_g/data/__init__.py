"""Data types shared by all parts: nested data, job ids, text diffs, version conditions."""
