"""Routes below /v1: one table (`table.py`) that makes the router, the rights and the OpenAPI document.

Begin with `route.py` (what a route is) and `router.py` (the way of a request).
"""
