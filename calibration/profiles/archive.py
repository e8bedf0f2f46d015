"""Arrays from an archive (NumPy's .npz), whose sizes are looked at before it is unpacked.

A file of a megabyte can say that it holds gigabytes: compressed ones, or merely announced ones,
for which memory would be taken before it turns out that they are not there.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

# Of all arrays that are asked for, together. A profile has a reference picture of some 20 MB and as
# much again of features, at the very most.
MOST_BYTES = 64 * 2**20
# What NumPy writes. Others are unpacked by zipfile without a limit.
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
HEAD_BYTES = 2**12  # more than what an array says of itself takes: its type and its shape


def read_arrays(content: bytes, names: Iterable[str]) -> dict[str, npt.NDArray[Any]]:
    """Return arrays of an archive by their names."""
    wanted = {name: f"{name}.npy" for name in names}
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        infos = {name: archive.getinfo(file) for name, file in wanted.items()}
        unpacked = sum(info.file_size for info in infos.values())
        if unpacked > MOST_BYTES:
            raise ValueError(f"{unpacked} bytes are more than {MOST_BYTES}")
        return {name: _parse(_content(archive, info)) for name, info in infos.items()}


def _content(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """Unpack a file, to the size that the archive's list of files says and no further."""
    if info.compress_type not in METHODS:
        raise ValueError("NumPy compresses in another way")
    with archive.open(info) as file:
        # Asked for everything, zipfile unpacks what is there first and cuts off the rest then.
        return file.read(info.file_size)


def _parse(content: bytes) -> npt.NDArray[Any]:
    """Return the array in a file's content; the file holds it and nothing else."""
    file = io.BytesIO(content)
    version = np.lib.format.read_magic(file)
    read_head = np.lib.format.read_array_header_1_0
    if version != (1, 0):
        read_head = np.lib.format.read_array_header_2_0
    shape, is_fortran, dtype = read_head(file, max_header_size=HEAD_BYTES)
    array = np.frombuffer(content, dtype, offset=file.tell())
    return array.reshape(shape, order="F" if is_fortran else "C").copy()
