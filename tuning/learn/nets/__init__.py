"""Learning the nets that correct linear evaluations (`engine.nets.correction`), with PyTorch."""
