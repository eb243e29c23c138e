!unknown a: 1
