base:
  '*': [own]
