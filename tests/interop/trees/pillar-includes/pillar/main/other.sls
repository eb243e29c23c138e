a: {x: other, y: {z: other}}
list: [other, main]
