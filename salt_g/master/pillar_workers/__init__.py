"""Processes that only compile pillar, for further cores: the setting `pillar_workers`.

A master without them imports nothing of this package. `workers.py` is the beginning.
"""
