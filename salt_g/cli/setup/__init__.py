"""`salt-g install`, `doctor`, `config` and `quickstart`: put salt-g on a host and check it."""
