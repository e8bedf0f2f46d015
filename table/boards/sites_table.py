"""Sites of interest as a table: what is pasted from a sheet, and what is shown to change."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence

from railspotter.calibration.board_making.places import place_id
from railspotter.calibration.board_making.print_colours import NAMES
from railspotter.calibration.board_making.proposal_values import BoardProposal
from railspotter.scoring.board import Site, Space
from railspotter.scoring.sentence import Sentence

from ..errors import DraftError

COLUMNS = ("name", "station", "colours", "x_mm", "y_mm", "angle_deg")
NEEDED = ("name", "station")
MOST_SITES = 100
USUAL_SPACE_MM = (25.0, 8.0)


def parse_sites(text: str, places: Mapping[str, str], proposal: BoardProposal) -> tuple[Site, ...]:
    """Read a table of sites; an empty one is none."""
    if not text.strip():
        return ()
    first = text.lstrip("\ufeff \n").partition("\n")[0]
    rows = csv.DictReader(
        io.StringIO(text.lstrip("\ufeff \n")),
        delimiter="\t" if "\t" in first else ",",
        skipinitialspace=True,
    )
    sites: list[Site] = []
    try:
        header = [name.strip() for name in rows.fieldnames or ()]
        rows.fieldnames = header
        if not set(NEEDED) <= set(header):
            raise DraftError(
                "line {n}: {error}",
                n="1",
                error=Sentence("the columns must be {columns}", columns=",".join(COLUMNS)),
            )
        for row in rows:
            line = rows.line_num
            site = _site(row, line, places, proposal)
            if any(site.id == other.id for other in sites):
                raise DraftError(
                    "line {n}: {error}",
                    n=line,
                    error=Sentence("the site {name!r} is listed twice", name=site.name),
                )
            if len(sites) == MOST_SITES:
                raise DraftError(
                    "line {n}: {error}", n=line, error=Sentence("more than {n} sites", n=MOST_SITES)
                )
            sites.append(site)
    except csv.Error as error:
        raise DraftError("line {n}: {error}", n=rows.line_num, error=error) from error
    return tuple(sites)


def sites_text(sites: Sequence[Site], places: Mapping[str, str]) -> str:
    """Return sites as the table that `parse_sites` reads."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for site in sites:
        at = (*site.space.xy_mm, site.space.angle_deg) if site.space else ("", "", "")
        station = places.get(site.station, site.station)
        writer.writerow((site.name, station, " ".join(site.colours), *at))
    return out.getvalue()


def _site(
    row: Mapping[str, str | None], line: int, places: Mapping[str, str], proposal: BoardProposal
) -> Site:
    cells = {name: (row.get(name) or "").strip() for name in COLUMNS}
    name, site = cells["name"], place_id(cells["name"])
    if not site:
        raise DraftError("line {n}: {error}", n=line, error=Sentence("the site has no name"))
    ids = {called.casefold(): known for known, called in places.items()}
    station = ids.get(cells["station"].casefold(), cells["station"])
    if station not in places:
        raise DraftError(
            "line {n}: {error}",
            n=line,
            error=Sentence("there is no place {place!r}", place=cells["station"]),
        )
    colours = tuple(cells["colours"].split())
    wrong = [colour for colour in colours if colour not in NAMES]
    if wrong or len(colours) not in (0, 2):
        raise DraftError(
            "line {n}: {error}",
            n=line,
            error=Sentence("colours are two of {colours}", colours=", ".join(NAMES)),
        )
    return Site(site, name, station, colours, _space(cells, line, proposal))


def _space(cells: Mapping[str, str], line: int, proposal: BoardProposal) -> Space | None:
    if not cells["x_mm"] and not cells["y_mm"]:
        return None
    try:
        x, y = float(cells["x_mm"]), float(cells["y_mm"])
        angle = float(cells["angle_deg"] or 0)
    except ValueError:
        raise DraftError(
            "line {n}: {error}", n=line, error=Sentence("x_mm, y_mm and angle_deg are numbers")
        ) from None
    width, height = proposal.size_mm
    if not (0 <= x <= width and 0 <= y <= height and -360 <= angle <= 360):
        raise DraftError(
            "line {n}: {error}", n=line, error=Sentence("the site is not on the board")
        )
    size = proposal.space_size_mm if all(proposal.space_size_mm) else USUAL_SPACE_MM
    return Space((x, y), angle, size)
