"""This process and its children: commands, files, native threads, privileges, limits."""
