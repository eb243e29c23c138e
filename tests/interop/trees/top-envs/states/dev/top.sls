dev:
  '*': [never]
