"""The declarations, one file for each topic; `registry.py` beside this folder gathers them."""
