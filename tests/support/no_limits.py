"""A page that lets one address ask as often as it likes: tests are quicker than people."""

from collections.abc import Callable

from railspotter.webui.access.limits import Limits, Rate, Settings
from railspotter.webui.served_pages import ServingOptions
from railspotter.webui.serving.https import Https


def no_limits() -> Limits:
    """Limits that nothing reaches."""
    rates = dict.fromkeys(Settings().rates, Rate(1e9, 10**9))
    return Limits(Settings(rates=rates))


def quiet(
    say: Callable[[str], None] = lambda said: None, *, port: int = 0, https: Https | None = None
) -> ServingOptions:
    """Options of a page that says nothing at the computer, without limits."""
    return ServingOptions(port=port, say=say, https=https, limits=no_limits())
