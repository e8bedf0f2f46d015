"""What webui raises.

WebError
└── AddressError    the address or port to serve on cannot be used
"""


class WebError(Exception):
    """Anything that webui refuses; its text is a sentence for the person who asked."""


class AddressError(WebError, OSError):
    """The address or port to serve on cannot be used: it is taken, or not this machine's."""
