base:
  "*":
    - edit
