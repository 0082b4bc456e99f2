"""Photos as the Bot API takes them: uploaded with the call, of so many bytes and so large at most.

The limits are those of https://core.telegram.org/bots/api#sendphoto. Only PNG is known here.
"""

from email.parser import BytesParser
from struct import unpack_from
from zlib import crc32

from tests.fakes.telegram_schema import Json
from tests.fakes.telegram_text import bad_request

PHOTO_MAX_BYTES = 10 * 1024 * 1024
SIDES_MAX = 10_000
RATIO_MAX = 20
PNG = b"\x89PNG\r\n\x1a\n"


def read_form(content_type: str, body: bytes) -> Json:
    """The fields of a multipart form as text; those with a file name as bytes."""
    head = f"Content-Type: {content_type}\r\n\r\n".encode()
    form: Json = {}
    for part in BytesParser().parsebytes(head + body).walk():
        name = part.get_param("name", header="content-disposition")
        found = part.get_payload(decode=True)
        if isinstance(name, str) and isinstance(found, bytes):
            form[name] = found if part.get_filename() else found.decode()
    return form


def check_photo(photo: bytes) -> None:
    """Refuse what the Bot API takes for no photo."""
    if not photo:
        raise bad_request("file must be non-empty")
    if len(photo) > PHOTO_MAX_BYTES:
        raise bad_request("file is too big")
    if not photo.startswith(PNG) or not _whole(photo):
        raise bad_request("IMAGE_PROCESS_FAILED")
    width, height = _size(photo)
    if width + height > SIDES_MAX or max(width, height) > RATIO_MAX * min(width, height):
        raise bad_request("PHOTO_INVALID_DIMENSIONS")


def photo_sizes(photo: bytes) -> list[Json]:
    """The PhotoSize objects of a photo."""
    width, height = _size(photo)
    name = f"png{crc32(photo):08x}"
    sizes: Json = {"width": width, "height": height, "file_size": len(photo)}
    return [{"file_id": name, "file_unique_id": name, **sizes}]


def _size(photo: bytes) -> tuple[int, int]:
    width, height = unpack_from(">II", photo, 16)
    return width, height


def _whole(photo: bytes) -> bool:
    """Every chunk of the PNG has the checksum it says, and the last one is its end."""
    at, kind = len(PNG), b""
    while at + 12 <= len(photo):
        (length,) = unpack_from(">I", photo, at)
        kind, end = photo[at + 4 : at + 8], at + 8 + length
        if photo[end : end + 4] != crc32(photo[at + 4 : end]).to_bytes(4, "big"):
            return False
        at = end + 4
    return kind == b"IEND" and at == len(photo)
