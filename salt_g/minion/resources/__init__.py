"""Salt Resources on the minion: found, described, worked on through greenlets of the managing minion.

A minion loads this room when its pillar names resources, and not before. Begin with `managed.py` (what
there is), `types.py` and `contexts.py` (what a call for a resource sees), then `fan_out.py` (a job).
"""
