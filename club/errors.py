"""What club raises.

ClubError
├── BrokerError     a broker's address that is none, or a broker that cannot be used
├── OutboxError     what is still to be sent cannot be kept
└── HallLogError    what the hall has heard cannot be kept
"""

from railspotter.scoring.sentence import StatedError


class ClubError(StatedError):
    """Anything that club refuses; its text is a sentence for the person who asked."""


class BrokerError(ClubError):
    """No address of a broker, no password for one, or no certificate to trust it by."""


class OutboxError(ClubError):
    """The file of what is still to be sent cannot be used."""


class HallLogError(ClubError):
    """The file of what the hall has heard cannot be used."""
