colour: {{ colour }}
sizes: {{ sizes }}
