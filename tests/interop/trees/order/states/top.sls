base:
  "*":
    - mixed
