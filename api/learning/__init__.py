"""For learning: many games at once, search guided by a net, environments of other libraries."""
