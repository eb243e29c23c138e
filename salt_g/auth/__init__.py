"""Authorization: permissions as values, logins, tokens, and the keys of local users.

Begin with `permissions` (whether a list of permissions allows a call), then `local_users` (the owner of
a key), `logins` (external authentication by modules) and `tokens`. Nothing here depends on the daemon;
`master/calls/authorization.py` combines the parts for each request.
"""
