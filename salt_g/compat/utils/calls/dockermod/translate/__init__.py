"""Stock's `salt.utils.dockermod.translate`: the extension's translations of arguments."""
