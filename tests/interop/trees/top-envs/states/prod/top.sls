prod:
  '*': [never]
dev:
  '*': [never]
