base: {'*': [people]}
