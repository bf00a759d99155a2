"""Pack files into a zip."""

import io
import zipfile
from collections.abc import Iterable


def packed(files: Iterable[tuple[str, bytes]]) -> bytes:
    """Return a zip of files, each with its path in it; byte for byte the same for the same files."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files:
            # A ZipInfo of its own has the first day of zip files; a mere name would have the time of writing.
            entry = zipfile.ZipInfo(path)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return whole.getvalue()
