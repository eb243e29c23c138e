base:
  "*":
    - files
