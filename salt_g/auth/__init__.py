"""Who may do what: permissions as values, logins, tokens, and the keys of local users.

Begin with `permissions` (does a list of permissions allow a call?), then `local_users` (whose key is
it?), `logins` (external authentication by the modules in `eauth/`) and `tokens`. Nothing here
knows the daemon; `master/calls/authorization.py` puts the pieces in order for each request.
"""
