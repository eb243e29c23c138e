"""Salt Resources on the minion: discovery, call contexts, jobs run in greenlets of the managing minion.

A minion imports this package only when its pillar names resources. Begin with `managed.py` (the managed
resources), `types.py` and `contexts.py` (the context of a call for a resource), then `fan_out.py` (a job).
"""
