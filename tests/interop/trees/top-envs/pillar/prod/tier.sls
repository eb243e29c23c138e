colour: blue
