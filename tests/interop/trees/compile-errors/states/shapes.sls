a: []
b: {test: []}
c: {test: [nop, ping]}
d: {test.nop: text}
e: {test.nop: [{require: text}]}
f: {test.nop: [], test: [nop]}
