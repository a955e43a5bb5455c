"""Replicating a logged flight: the search of Surrealist with a log as its target. Start with `replicate`."""
