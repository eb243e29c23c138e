"""Publication of jobs: target resolution, publish keys, batches, expected returns.

Begin with `publish.py`.
"""
