base: {'*': [hosts]}
