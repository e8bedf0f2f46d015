"""Windows around spaces, rendered: prints, plastic, light all made up, to teach the net from."""
