base:
  "*":
    - tree
