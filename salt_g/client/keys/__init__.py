"""Keys of minions for programs on the master's machine: through the running master, or in their files."""
