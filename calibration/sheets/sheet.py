"""A sheet to print, as values and as the content of a PDF or SVG file.

Boxes, lines and words are enough for the program's sheets; files are exact to the hundredth of a
millimetre and the same on every machine. Millimetres are from the page's top-left corner, y down.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}  # width and height in millimetres
PT = 72 / 25.4  # points of PDF in a millimetre
FONT = "Helvetica"  # one of the fonts that every PDF reader has
# Its encoding, for western Europe: WinAnsiEncoding (ISO 32000-1, annex D).
LETTERS = "cp1252"


@dataclass(frozen=True)
class Box:
    """A filled rectangle; `grey` is 0 for black, 1 for white."""

    x: float
    y: float
    width: float
    height: float
    grey: float = 0.0


@dataclass(frozen=True)
class SheetLine:
    """A straight line."""

    x1: float
    y1: float
    x2: float
    y2: float
    thick: float = 0.3
    grey: float = 0.0


@dataclass(frozen=True)
class Words:
    """One line of text; (x, y) is the start of its base line, `size` in millimetres."""

    x: float
    y: float
    text: str
    size: float = 3.5
    grey: float = 0.0


@dataclass(frozen=True)
class Sheet:
    """One page."""

    size_mm: tuple[float, float]  # width and height of the paper
    title: str
    items: tuple[Box | SheetLine | Words, ...]  # in drawing order


def to_svg(sheet: Sheet) -> bytes:
    """Return a sheet as the content of an SVG file, in millimetres."""
    width, height = sheet.size_mm
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm"'
        f' viewBox="0 0 {width} {height}" font-family="{FONT}, Arial, sans-serif">',
        f"<title>{escape(sheet.title)}</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        *map(_svg, sheet.items),
        "</svg>",
    ]
    return "\n".join(lines).encode() + b"\n"


def _svg(item: Box | SheetLine | Words) -> str:
    ink = "#" + f"{round(item.grey * 255):02x}" * 3
    match item:
        case Box(x, y, width, height):
            # Crisp edges avoid seams between neighbouring boxes.
            return (
                f'<rect x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}"'
                f' fill="{ink}" shape-rendering="crispEdges"/>'
            )
        case SheetLine(x1, y1, x2, y2, thick):
            return (
                f'<line x1="{x1:.2f}" y1="{y1:.2f}" x2="{x2:.2f}" y2="{y2:.2f}"'
                f' stroke="{ink}" stroke-width="{thick}"/>'
            )
        case Words(x, y, text, size):
            return (
                f'<text x="{x:.2f}" y="{y:.2f}" font-size="{size}" fill="{ink}">'
                f"{escape(text)}</text>"
            )


def to_pdf(sheet: Sheet) -> bytes:
    """Return a sheet as the content of a PDF file (PDF 1.4, ISO 32000-1).

    Words must be encodable in `LETTERS`.
    """
    width, height = (side * PT for side in sheet.size_mm)
    drawn = "\n".join(_pdf(item, sheet.size_mm[1]) for item in sheet.items).encode(LETTERS)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        b"<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
        f"<< /Type /Font /Subtype /Type1 /BaseFont /{FONT} /Encoding /WinAnsiEncoding >>".encode(),
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width:.3f} {height:.3f}]"
        " /Resources << /Font << /F 3 0 R >> >> /Contents 5 0 R >>".encode(),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawn), drawn),
        f"<< /Title ({_escaped(sheet.title)}) >>".encode(LETTERS),
    ]
    return b"".join(_pdf_file(objects))


def _pdf_file(objects: list[bytes]) -> Iterator[bytes]:
    """Yield the parts of a PDF file: numbered objects, cross-reference table and trailer."""
    head = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"
    yield head
    at, starts = len(head), []
    for number, content in enumerate(objects, start=1):
        starts.append(at)
        written = b"%d 0 obj\n%s\nendobj\n" % (number, content)
        at += len(written)
        yield written
    count = len(objects) + 1
    yield b"xref\n0 %d\n0000000000 65535 f \n" % count
    yield from (b"%010d 00000 n \n" % start for start in starts)
    yield b"trailer\n<< /Size %d /Root 1 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        count,
        len(objects),
        at,
    )


def _pdf(item: Box | SheetLine | Words, page_height: float) -> str:
    """Return the PDF operators that draw an item; PDF's y axis points up."""

    def at(x: float, y: float) -> str:
        return f"{x * PT:.3f} {(page_height - y) * PT:.3f}"

    match item:
        case Box(x, y, width, height, grey):
            corner = at(x, y + height)
            return f"{grey:.3f} g {corner} {width * PT:.3f} {height * PT:.3f} re f"
        case SheetLine(x1, y1, x2, y2, thick, grey):
            return f"{grey:.3f} G {thick * PT:.3f} w {at(x1, y1)} m {at(x2, y2)} l S"
        case Words(x, y, text, size, grey):
            return f"{grey:.3f} g BT /F {size * PT:.3f} Tf {at(x, y)} Td ({_escaped(text)}) Tj ET"


def _escaped(text: str) -> str:
    r"""Return a text escaped for a PDF string.

    >>> print(_escaped("100 % (full size)"))
    100 % \(full size\)
    """
    return text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
