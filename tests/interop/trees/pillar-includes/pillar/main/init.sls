include:
  - .part:
      key: nested:here
      defaults: {colour: red, sizes: [1, 2]}
  - .other
  - more.*
a: {own: main, x: main}
list: [main]
