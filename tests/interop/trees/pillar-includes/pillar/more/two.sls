more: {two: 2, both: two}
