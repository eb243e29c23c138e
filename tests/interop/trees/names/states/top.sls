base:
  "*":
    - many
