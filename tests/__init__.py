"""Tests of salt-g; `support` holds their shared code."""
