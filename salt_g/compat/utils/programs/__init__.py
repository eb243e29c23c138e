"""Modules of `salt.utils` about network services and programs, and rarely used helpers."""
