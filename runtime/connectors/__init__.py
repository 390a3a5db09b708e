"""Live sources of lines: sockets, an MQTT broker, the state of this machine."""
