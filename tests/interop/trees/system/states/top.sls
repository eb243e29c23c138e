base:
  "*":
    - system
