"""Learning the nets that correct linear evaluations (`engine.net`), with PyTorch."""
