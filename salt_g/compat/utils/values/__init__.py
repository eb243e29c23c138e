"""Modules of `salt.utils` about data, text, dates and versions."""
