"""Tables whose photos are read as a test says, or by the real reader."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from no_limits import quiet
from phones import Table, table
from railspotter.cli.table_service import TableService
from railspotter.table.photo_reader.reader import PhotoReader
from railspotter.table.set_up.game_set_up import HomeWish, Wish
from railspotter.webui.served_pages import TablePage
from railspotter.webui.sessions.photo_queue import PhotoReading
from told_lights import ToldLights


@contextmanager
def photo_table(home: Path, reading: PhotoReading, wish: Wish | None = None) -> Iterator[TablePage]:
    """Let a table live, with its page on a real port."""
    stop = threading.Event()
    with TablePage(home, quiet(), reading) as page:
        service = TableService(page, stop, ToldLights())
        life = threading.Thread(target=service.run, args=(wish or HomeWish(),), name="the table")
        life.start()
        try:
            yield page
        finally:
            stop.set()
            life.join()


def form_of(*photos: bytes) -> tuple[bytes, str]:
    """Return the body of a form with photos, and its media type."""
    part = b'--X\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
    body = b"".join(part + photo + b"\r\n" for photo in photos) + b"--X--\r\n"
    return body, "multipart/form-data; boundary=X"


@contextmanager
def ticket_table(folder: Path) -> Iterator[Table]:
    """Open a table at which the real reader reads photos of tickets."""
    with PhotoReader() as reader, table(folder) as running:
        photos = running.page.services.photos
        photos.reading = PhotoReading(photos.reading.score, tickets=reader.tickets_in)
        yield running
