"""Publication of jobs: target resolution, publish keys, batches, expected minions.

Begin with `publish.py`.
"""
