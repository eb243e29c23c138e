base:
  "*":
    - hosts
