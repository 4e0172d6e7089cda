"""Keys of model services: where they are found, and that they are shown nowhere."""
