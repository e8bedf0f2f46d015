"""What firmware_bridge raises.

BridgeError
├── DisplayError    an unknown display, or an invalid setting
├── MessageError    something that does not fit into a message
└── PortError       a port that cannot be opened, or broke
    └── PortBusyError     another program holds it
"""

from railspotter.scoring.sentence import StatedError


class BridgeError(StatedError):
    """Any error of firmware_bridge; its text is a sentence for the user."""


class DisplayError(BridgeError):
    """An unknown display, or a setting out of range."""


class MessageError(BridgeError):
    """A message cannot be encoded: something in it is too long."""


class PortError(BridgeError):
    """A port cannot be opened, or its connection is lost."""


class PortBusyError(PortError):
    """Another process uses the port."""
