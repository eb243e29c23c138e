"""Logins at an OpenID provider: the way of a browser there and back. `auth/oidc.py` checks what it brings."""
