base:
  '*': [seen]
dev:
  '*': [python]
