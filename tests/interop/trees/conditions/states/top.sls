base:
  "*":
    - guards
