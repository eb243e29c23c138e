"""Engines: functions that run as long as their daemon does. A plugin room."""
