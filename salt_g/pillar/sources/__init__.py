"""External pillars of ours, by the names of the setting `ext_pillar`; begin with `../external.py`."""
