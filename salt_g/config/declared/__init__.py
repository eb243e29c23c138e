"""Declarations of settings, one file per topic; `registry.py` in the parent package collects them."""
