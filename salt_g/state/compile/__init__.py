"""Compiler from SLS names to ordered low chunks.

Begin with `compiler.py`.
"""
