"""The studio: a local web page in which scenes are edited and their predicted flights follow the pointer."""
