# What a minion is told: all of them the common values, the first one its role too.
base:
  '*':
    - common
  'm1':
    - web
