"""Counting turns to a depth (perft), to test move generators."""
