"""The names of stock's package `salt` that users' plugins import. Begin with `exceptions.py`.

Users' modules, states and grains use `from salt.exceptions import CommandExecutionError` or
`salt.utils.files.fopen`. `loader/import_shim.py` answers such imports from here; nothing in
salt-g imports this package. Programs that run outside of salt-g find the package through the distribution
`salt` of `salt-g pip` (`install/stock_distribution.py`).
"""
