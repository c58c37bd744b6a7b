"""What schemathesis can't know by itself: bodies that are lines of JSON, and who is signed in."""

import json
import os
import time
import urllib.error
import urllib.request

import schemathesis

# Seconds; tokens are good for fifteen minutes.
RENEW_AFTER = 10 * 60


@schemathesis.serializer("application/x-ndjson")
def lines_of_json(_context, value):
    """Made-up text as it is; what is no text, as its JSON would be written."""
    if isinstance(value, bytes):
        return value
    return str(value).encode("utf-8", errors="ignore")


class Session:
    """An account's token, renewed while it can be: what is made up may change the account itself."""

    token = ""

    def get(self, _case, _context):
        try:
            self.token = sign_in()
        except urllib.error.HTTPError as refused:
            if refused.code == 429:
                # The wrong passwords that were made up before count for this address as well.
                time.sleep(int(refused.headers["Retry-After"]))
                return self.get(_case, _context)
            if not self.token:
                raise
            print(f"signing in again was refused ({refused.code}): on with the token as it was")
        return self.token

    def set(self, case, token, _context):
        case.headers["Authorization"] = f"Bearer {token}"


def sign_in():
    body = {"email": os.environ["TIFFIN_EMAIL"], "password": os.environ["TIFFIN_PASSWORD"]}
    request = urllib.request.Request(
        f"{os.environ['TIFFIN_URL']}/api/v1/users/login",
        data=json.dumps(body).encode(),
        headers={"content-type": "application/json"},
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["token"]


if "TIFFIN_EMAIL" in os.environ:
    schemathesis.auth(refresh_interval=RENEW_AFTER)(Session)
