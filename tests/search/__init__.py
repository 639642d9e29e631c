"""Tests of the searches and of the worker that runs them."""
