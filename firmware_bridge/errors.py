"""What firmware_bridge raises.

BridgeError
├── DisplayError    a display that nobody knows, or settings it cannot have
├── MessageError    something that does not fit into a message
└── PortError       a port that cannot be opened, or broke
    ├── PortBusyError     another program holds it
    └── NoDisplayError    nothing that looks like a display is plugged in
"""

from railspotter.scoring.sentence import StatedError


class BridgeError(StatedError):
    """Anything that firmware_bridge refuses; its text is a sentence for the person who asked."""


class DisplayError(BridgeError):
    """A display is named that there is not, or a setting is out of its range."""


class MessageError(BridgeError):
    """A message cannot be written: something in it is too long."""


class PortError(BridgeError):
    """A port cannot be opened, or what was open is gone."""


class PortBusyError(PortError):
    """Another program holds the port."""


class NoDisplayError(PortError):
    """No port looks like a display."""
