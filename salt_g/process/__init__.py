"""Operating system services: child processes, files, native threads, privileges, limits."""
