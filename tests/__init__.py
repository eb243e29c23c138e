"""Tests of salt-g; `support` is what they share."""
