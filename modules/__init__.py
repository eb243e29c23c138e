"""Execution modules: functions that can be called on a machine.

Files here are plugins: the loader finds them through this package's `__path__`, and no code imports them by
name. Files that begin with an underscore are helpers shared by several plugins.
"""
