"""Resources on the master: ownership, targeting, returns.

Begin with `registry.py` (the known resources, in memory), then `registration.py` (how they are registered).
Messages of peers:

* `_register_resources` {resources: {type: [id]}, resource_grains: {srn: {...}}} replaces the sender's
  resources. A salt-g minion adds `leases: True` and is answered {"refused": {srn: reason}, "leases": {srn:
  seconds}, "standby": [srn], "lease": seconds, "return_many": n}; others are answered `true`. Seconds are
  null for a lease without end.
* `_renew_resources` {} is answered alike. Both may report errors of resources, `trouble` {srn: text}.
* `_return` with `resource_id` (the bare id, or the SRN) is one resource's return. `_return_many` {returns:
  [load of `_return`, ...]} carries at most n of them (or of the minion's own) at once; its answer is nil,
  as for `_return`, and acknowledges all of them.
"""
