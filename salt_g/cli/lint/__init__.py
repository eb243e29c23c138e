"""`salt-g lint` and `salt-g lsp`: errors in state trees, for people and pipelines, and for editors."""
