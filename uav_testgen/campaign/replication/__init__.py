"""Replicating a logged flight: the search of paper 004 with a log as its target. Start with `replicate`."""
