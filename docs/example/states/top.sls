base:
  '*':
    - try
