"""Built-in resource types, one package each; `docs/resources.md` describes how to write one.

A type imports floors 0 to 2, as execution modules do. Begin with `dummy/`.
"""
