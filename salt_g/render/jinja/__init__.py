"""Jinja for SLS files and templates: environment, `salt://` loader, tags, filters, messages.

Begin with `renderer.py`. Everything here imports Jinja, so it is imported when the first
template is rendered.
"""
