base:
  "*":
    - fetch
