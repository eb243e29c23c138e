greeting: Welcome to
users:
  alice: {editor: vim}
  bob: {editor: nano}
