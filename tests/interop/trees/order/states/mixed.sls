z: {test.nop: [{order: last}]}
y: {test.nop: [{order: -2}]}
x: {test.nop: [{order: -1}]}
w: {test.nop: []}
v: {test.nop: [{order: first}]}
u: {test.nop: [{order: 20}]}
t: {test.nop: [{order: 3}, {require: [{test: s}]}]}
s: {test.nop: [{order: last}]}
r:
  test.nop: [{order: 7}]
  cmd.run: [{name: 'true'}]
q: {test.nop: [{order: 10005}]}
