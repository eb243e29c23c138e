base:
  "*":
    - deploy
