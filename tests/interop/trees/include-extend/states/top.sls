base:
  "*":
    - app.prod
