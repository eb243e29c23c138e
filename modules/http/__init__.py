"""Requests to web servers (`http.query`). Begin with `querying.py`."""

from salt_g.modules.http.querying import query, wait_for_successful_query

__all__ = ["query", "wait_for_successful_query"]
