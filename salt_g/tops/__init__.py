"""Sources of top data besides the top file, for `master_tops`.

Each has a function `top(opts, grains)` that returns {saltenv: [sls, ...]} for a minion.
"""
