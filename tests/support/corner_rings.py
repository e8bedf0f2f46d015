"""The rings on a board's corners, dragged in a browser as a person would."""

from collections.abc import Iterable, Sequence

from playwright.sync_api import Page


def drag_rings(page: Page, corners: Iterable[Sequence[float]]) -> None:
    """Drag each ring to its corner, in the photo's pixels, with the mouse."""
    svg = page.locator("svg.photo")
    svg.scroll_into_view_if_needed()
    for i, (x, y) in enumerate(corners):
        box = page.locator(f"[data-corner='{i}']").bounding_box()
        to = svg.evaluate(
            "(svg, [x, y]) => { const at = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());"
            " return [at.x, at.y]; }",
            [x, y],
        )
        assert box is not None
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(*to, steps=4)
        page.mouse.up()
