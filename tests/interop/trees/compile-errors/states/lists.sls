exclude: text
include: text
