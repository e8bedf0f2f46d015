"""How the host is led to the code that lets the others in, and what a link that does not says."""

from __future__ import annotations

from phones import Table
from playwright.sync_api import Browser, expect
from table_pages import claim, opened, tab


def test_the_host_is_led_to_the_code_until_another_phone_has_come_in(
    browser: Browser, running: Table
) -> None:
    with opened(browser, running, host=True) as host:
        host.locator("[data-key=invite]").click()
        expect(host.locator("#table .join")).to_be_visible()
        tab(host, "score")
        with opened(browser, running, seat="bob") as bob:
            expect(host.locator("#invite")).to_be_hidden()
            expect(bob.locator("#invite")).to_be_hidden()


def test_who_plays_with_the_hosts_phone_alone_is_not_asked_for_others(
    browser: Browser, running: Table
) -> None:
    with opened(browser, running, host=True) as host:
        expect(host.locator("#invite")).to_be_visible()
        claim(running, helena__seattle="red")
        expect(host.locator("#invite")).to_be_hidden()


def test_a_link_that_lets_nobody_in_says_why_and_how_else(browser: Browser, running: Table) -> None:
    codes = running.page.session.phone_access.codes
    links = {f"#host={codes.host}": "was used already", f"#join={codes.join}": "no longer works"}
    running.host()
    codes.renew_join()
    with opened(browser, running) as page:
        for link, words in links.items():
            page.goto(f"{running.page.server.url}{link}")
            page.reload()  # only what stands behind the # has changed
            expect(page.locator("#toast")).to_contain_text(words)
