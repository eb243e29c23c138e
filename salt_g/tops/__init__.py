"""Sources of top data in addition to the top file, for `master_tops`.

Each has a function `top(opts, grains)` that returns {saltenv: [sls, ...]} for a minion.
"""
