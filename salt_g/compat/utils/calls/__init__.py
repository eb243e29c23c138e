"""Modules of `salt.utils` about calls: functions and their arguments, jobs, targets, events, states."""
