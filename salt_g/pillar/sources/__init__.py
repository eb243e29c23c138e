"""Built-in external pillars, by their names in the setting `ext_pillar`; begin with `../external.py`."""
