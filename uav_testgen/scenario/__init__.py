"""What is tested: frozen scenario values, arena rules, validity, file formats. Start with `model`."""
