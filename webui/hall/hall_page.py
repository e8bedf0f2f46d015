"""The hall's page: its app and server."""

from pathlib import Path

from flask import Flask, Response

from ..access.limits import Limits
from ..access.phone_access import PhoneAccess
from ..api.calls import calls_of
from ..api.routes import add_api
from ..guarded_app import guarded_app
from ..pages import texts
from ..pages.page_table import add_pages, render
from ..served_pages import ServedPage, ServingOptions
from . import calls
from .hall_session import HallServices, HallSession

COOKIE = "railspotter-hall"  # the name of the cookies of phones that opened the host's link


def _app(page_context: HallServices) -> Flask:
    def problem_page(code: int) -> Response:
        response = render("hall_problem.html", problem=texts.error(code))
        response.status_code = code
        return response

    app = guarded_app(page_context.limits, problem_page)
    add_pages(app, page_context)
    add_api(app, page_context, calls_of(calls))
    return app


class HallPage(ServedPage):
    """The hall's page and listener, while its `with` block runs.

    `pairing` is the file of the host's phones. Entering raises `AddressError` when the address or
    port cannot be used.
    """

    def __init__(self, hall: HallSession, pairing: Path, options: ServingOptions) -> None:
        self.phone_access = PhoneAccess(pairing, COOKIE, is_open=True)
        page_context = HallServices(self.phone_access, options.limits or Limits(), hall)
        super().__init__(
            _app(page_context),
            self.phone_access,
            options,
            hall,
            can_let_in=False,
        )

    def _print_links(self) -> None:
        self._say(f"the hall is at {self.phone_access.url} (Ctrl-C ends it)")
        self._say(f"for a big screen: {self.phone_access.url}big")
        self._print_new_link("host")
        self._print_who_gets_in(
            "everyone in this network can look on; to have a table pause needs the host's link"
        )
