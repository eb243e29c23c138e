base: {'*': [tier]}
prod: {'G@role:web': [tier]}
