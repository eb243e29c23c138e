"""The declarations, one file for each topic; `known.py` beside this folder gathers them."""
