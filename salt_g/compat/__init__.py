"""Names of stock's `salt` package that users' plugins import. Begin with `exceptions.py`.

Users' modules, states and grains use `from salt.exceptions import CommandExecutionError` or
`salt.utils.files.fopen`. `loader/import_shim.py` answers such imports from here; nothing in
salt-g imports this package, and no top-level `salt` is installed.
"""
