"""The library: what `import tengen` offers."""
