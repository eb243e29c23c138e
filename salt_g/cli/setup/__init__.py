"""`salt-g install`, `doctor`, `config` and `quickstart`: installation and checks of a host."""
