"""`salt-g lint` and `salt-g lsp`: report errors in state trees to people, pipelines and editors."""
