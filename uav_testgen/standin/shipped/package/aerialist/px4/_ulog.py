"""Reads one topic of a ULog file. Standard library only, Python 3.8."""

import struct

_MAGIC = b"ULog\x01\x12\x35"
_CODES = {
    "uint64_t": "Q", "int64_t": "q", "uint32_t": "I", "int32_t": "i", "uint16_t": "H", "int16_t": "h",
    "uint8_t": "B", "int8_t": "b", "bool": "B", "char": "c", "double": "d", "float": "f",
}  # fmt: skip


def read_topic(address, topic):
    """Columns of the first instance of a topic, by field name; None if it was not logged."""
    with open(address, "rb") as stream:
        data = stream.read()
    if not data.startswith(_MAGIC):
        raise ValueError("{}: not a ULog file".format(address))
    formats, wanted, rows, names, layout = {}, None, [], [], None
    place = 16
    while place + 3 <= len(data):
        size, kind = struct.unpack_from("<HB", data, place)
        body = data[place + 3 : place + 3 + size]
        place += 3 + size
        if len(body) < size:
            break  # the log was cut
        if kind == ord("F"):
            name, _, fields = body.decode("ascii", "replace").partition(":")
            formats[name] = [field for field in fields.split(";") if field]
        elif (
            kind == ord("A")
            and wanted is None
            and body[3:].decode("ascii", "replace") == topic
            and body[0] == 0
        ):
            wanted = struct.unpack_from("<H", body, 1)[0]
            names, codes = _columns(formats, topic)
            layout = struct.Struct("<" + codes)
        elif kind == ord("D") and layout is not None and struct.unpack_from("<H", body)[0] == wanted:
            if size - 2 >= layout.size:
                rows.append(layout.unpack_from(body, 2))
    if not rows:
        return None
    return {name: list(column) for name, column in zip(names, zip(*rows))}


def _columns(formats, topic, prefix=""):
    names, codes = [], ""
    for field in formats[topic]:
        kind, _, name = field.partition(" ")
        kind, _, count = kind.partition("[")
        if name.startswith("_padding"):
            if prefix or field is not formats[topic][-1]:
                names += [
                    "{}{}[{}]".format(prefix, name, k) for k in range(int(count[:-1] or 1) if count else 1)
                ]
                codes += "B" * (int(count[:-1]) if count else 1)
            continue
        places = ["{}[{}]".format(name, k) for k in range(int(count[:-1]))] if count else [name]
        for one in places:
            if kind in _CODES:
                names.append(prefix + one)
                codes += _CODES[kind]
            else:
                inner_names, inner_codes = _columns(formats, kind, prefix + one + ".")
                names += inner_names
                codes += inner_codes
    return names, codes
