base:
  "*":
    - show
