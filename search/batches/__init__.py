"""Many games at once: states in one array, played by compiled kernels over all cores."""
