"""Bodies that schemathesis can't write by itself: lines of JSON."""

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def lines_of_json(_context, value):
    """Made-up text as it is; what is no text, as its JSON would be written."""
    if isinstance(value, bytes):
        return value
    return str(value).encode("utf-8", errors="ignore")
