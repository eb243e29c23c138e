more: {one: 1, both: one}
