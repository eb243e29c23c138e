base: {'*': [web]}
