"""Authentication and authorization: permissions, logins, tokens, and rights of local users.

Begin with `permissions` (whether a list of permissions allows a call), then `local_users` (rights by
`publisher_acl`), `logins` (external authentication by modules) and `tokens`. Nothing here depends on the
daemon; `master/calls/authorization.py` combines the parts for each request.
"""
