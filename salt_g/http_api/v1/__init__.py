"""Routes below /v1, with one table (`table.py`) as the source of the router and the OpenAPI document.

Begin with `route.py` (definition of a route) and `router.py` (dispatch of a request).
"""
