"""Logins at an OpenID provider by browser redirects; `auth/oidc.py` verifies the ID tokens."""
