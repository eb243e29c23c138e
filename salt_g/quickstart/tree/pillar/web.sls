role: web
site:
  port: 8080
