"""Tests of salt-g, and `support` with their shared code."""
