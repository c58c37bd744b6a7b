"""localstripe on the port of the first argument, until standard input ends.

localstripe emulates tokens, PaymentIntents, 3-D Secure, charges, refunds, signed webhooks and Stripe's script. This
file adds, in front of it, what it lacks:

- idempotency keys: a repeated request gets the first answer, another request with the same key is refused, one that is
  under way is a conflict;
- `payment_method_data[card][token]` of a new PaymentIntent, and tokens that pay once;
- the PaymentIntent in the error of a declined one;
- the search of PaymentIntents by metadata, which lags;
- refunds that never exceed the charge, webhooks of refunds and of PaymentIntents that fail at the bank;
- disputes: a list, and `POST /_test/disputes` that opens or decides one;
- `GET /_test/book`: every PaymentIntent with what it took and gave back;
- faults, by `POST /_test/faults`: see `Faults`. localstripe sends its webhooks to this file, which passes them on as
  they are: once, several times, late or never, and again after an answer that is no success.
"""

import asyncio
import json
import os
import random
import re
import sys
import threading
import time

import aiohttp
from aiohttp import web

from localstripe import resources, server, webhooks
from localstripe.errors import UserError

PORT = int(sys.argv[1])
KEYS = {}
DISPUTES = []


class Faults:
    """The odds of each fault of a call, and what becomes of webhooks."""

    def __init__(self, away=0, lost=0, twice=0, slow=0, late=0, seconds=3, only="", search_lag=0, never=0, copies=1,
                 delay=0, seed=1):
        # The connection ends before the call is handled.
        self.away = away
        # The call is handled, and the connection ends before the answer.
        self.lost = lost
        # The call comes twice, as from a proxy that tries again.
        self.twice = twice
        # The call is handled after some seconds, or its answer comes after them.
        self.slow = slow
        self.late = late
        self.seconds = seconds
        # A part of the path, of calls that have faults.
        self.only = only
        # The seconds until the search finds a PaymentIntent.
        self.search_lag = search_lag
        # The odds that a webhook is lost for good, how often each comes, and the longest delay.
        self.never = never
        self.copies = copies
        self.delay = delay
        self.random = random.Random(seed)

    def pick(self, names):
        drawn = self.random.random()
        for name in names:
            drawn -= getattr(self, name)
            if drawn < 0:
                return name
        return None


FAULTS = Faults()
TARGET = {"url": None, "secret": None}


def json_response(body, status=200):
    return web.json_response(body, status=status)


def refuse(status, message, **contents):
    return json_response({"error": {"type": "invalid_request_error", "message": message, **contents}}, status)


@web.middleware
async def with_idempotency(request, handler):
    key = request.headers.get("Idempotency-Key")
    if request.method != "POST" or key is None:
        return await handler(request)
    body = await request.read()
    asked = (request.path, body)
    if key in KEYS:
        first, answer = KEYS[key]
        if answer is None:
            return refuse(409, "Another request has this key.", code="idempotency_key_in_use")
        if first != asked:
            return json_response({"error": {
                "type": "idempotency_error",
                "message": "Keys for idempotent requests can only be used with the same parameters.",
            }}, 400)
        return web.Response(body=answer[1], status=answer[0], content_type="application/json")
    KEYS[key] = (asked, None)
    try:
        answer = await handler(request)
    except BaseException:
        del KEYS[key]
        raise
    if answer.status in (400, 401, 404, 409):
        # A request that failed its validation does not use its key up.
        del KEYS[key]
    else:
        KEYS[key] = (asked, (answer.status, answer.body))
    return answer


@web.middleware
async def with_faults(request, handler):
    has_faults = request.path.startswith("/v1/") and FAULTS.only in request.path and "Origin" not in request.headers
    fault = FAULTS.pick(("away", "lost", "twice", "slow", "late")) if has_faults else None
    if fault == "away":
        request.transport.abort()
        return web.Response()
    if fault == "slow":
        await asyncio.sleep(FAULTS.seconds)
    if fault == "twice":
        await request.read()
        await handler(request)
    answer = await handler(request)
    if fault == "lost":
        request.transport.abort()
    elif fault == "late":
        await asyncio.sleep(FAULTS.seconds)
    return answer


@web.middleware
async def with_additions(request, handler):
    path = request.path
    if path.startswith("/_test/"):
        return await tests(request)
    if path.startswith("/v1/") and request.method == "GET":
        if server.get_api_key(request) is None:
            return await handler(request)
        if path == "/v1/payment_intents/search":
            return search(request.query["query"])
        if path == "/v1/disputes":
            asked = request.query["payment_intent"]
            return json_response({"object": "list", "data": [d for d in DISPUTES if d["payment_intent"] == asked]})
    return await handler(request)


def intents():
    return [one for key, one in resources.store.items() if key.startswith("payment_intent:")]


def search(query):
    wanted = re.fullmatch(r"metadata\['payment'\]:'([^']+)'", query).group(1)
    until = time.time() - FAULTS.search_lag
    found = [one for one in intents() if one.metadata.get("payment") == wanted and one.made_at <= until]
    return json_response({"object": "search_result", "data": [one._export() for one in found]})


async def tests(request):
    global FAULTS
    if request.path == "/_test/book":
        return json_response([entry(one) for one in intents()])
    body = await request.json()
    if request.path == "/_test/faults":
        FAULTS = Faults(**body)
        return json_response({})
    if request.path == "/_test/webhook":
        TARGET.update(body)
        webhooks.register_webhook("tiffin", f"http://127.0.0.1:{PORT}/_relay", body["secret"], None)
        return json_response({})
    if request.path == "/_test/disputes":
        known = [d for d in DISPUTES if d["payment_intent"] == body["payment_intent"]]
        if known:
            dispute = known[0]
            dispute.update(body)
        else:
            dispute = {"object": "dispute", "id": f"dp_{len(DISPUTES)}", **body}
            DISPUTES.insert(0, dispute)
        kind = "closed" if dispute["status"] in ("won", "lost") else "created"
        announce(f"charge.dispute.{kind}", dispute)
        return json_response(dispute)
    return web.Response(status=404)


def entry(intent):
    charge = intent.latest_charge
    took = charge is not None and charge.status == "succeeded"
    return {
        "id": intent.id,
        "payment": intent.metadata.get("payment"),
        "status": intent.status,
        "taken": charge.amount if took else 0,
        "refunded": charge.amount_refunded if took else 0,
    }


class Exported:
    def __init__(self, body):
        self.body = body

    def _export(self):
        return self.body


def announce(kind, body):
    webhooks.schedule_webhook(resources.Event(kind, Exported(body)))


async def relay(request):
    body, signature = await request.read(), request.headers["Stripe-Signature"]
    if TARGET["url"] is not None and FAULTS.random.random() >= FAULTS.never:
        for _ in range(FAULTS.copies):
            asyncio.ensure_future(pass_on(body, signature, FAULTS.random.random() * FAULTS.delay))
    return web.Response()


async def pass_on(body, signature, delay):
    await asyncio.sleep(delay)
    headers = {"Content-Type": "application/json; charset=utf-8", "Stripe-Signature": signature}
    for _ in range(100):
        try:
            async with aiohttp.ClientSession() as session:
                async with session.post(TARGET["url"], data=body, headers=headers) as answer:
                    if answer.status < 300:
                        return
        except aiohttp.ClientError:
            pass
        await asyncio.sleep(0.5)


def intent_with_token(cls, confirm=None, payment_method_data=None, **data):
    """Creates a PaymentIntent, with the card of a token if there is one."""
    if payment_method_data is not None:
        token = resources.Token._api_retrieve(payment_method_data["card"]["token"])
        if getattr(token, "_is_used", False):
            raise UserError(400, "You cannot use a Stripe token more than once.", {"code": "token_already_used"})
        token._is_used = True
        data["payment_method"] = token.card.id
    intent = cls(**data)
    intent.made_at = time.time()
    if confirm in ("true", True):
        try:
            intent._confirm(on_failure_now=intent._report_failure)
        except UserError as error:
            exported = intent._export()
            error.body["error"].update(type="card_error", payment_intent=exported)
            raise
    return intent


def refund_in_bounds(cls, **data):
    """Creates a refund of what is left of the charge, and says so by a webhook."""
    intent = resources.PaymentIntent._api_retrieve(data["payment_intent"])
    charge = intent.latest_charge
    if int(data["amount"]) > charge.amount - charge.amount_refunded:
        raise UserError(400, "The refund exceeds the charge.", {"code": "charge_already_refunded"})
    refund = cls(**data)
    announce("charge.refunded", {**charge._export(), "payment_intent": intent.id})
    return refund


def authenticate(cls, id, success=False, **data):
    intent = cls._api_retrieve(id)
    answer = AUTHENTICATE(id, success=success, **data)
    if intent._authentication_failed:
        announce("payment_intent.payment_failed", intent._export())
    return answer


AUTHENTICATE = resources.PaymentIntent._api_authenticate
resources.PaymentIntent._api_create = classmethod(intent_with_token)
resources.Refund._api_create = classmethod(refund_in_bounds)
# A test's server keeps nothing.
resources.Store.dump_to_disk = lambda self: None
for route in list(server.app.router.routes()):
    if route.resource.canonical.endswith("/_authenticate"):
        route._handler = server.api_extra(
            lambda **data: authenticate(resources.PaymentIntent, **data), "_authenticate")



def end_with_parent():
    sys.stdin.read()
    os._exit(0)


@web.middleware
async def with_relay(request, handler):
    return await relay(request) if request.path == "/_relay" else await handler(request)


threading.Thread(target=end_with_parent, daemon=True).start()
app = server.app
for middleware in (with_additions, with_idempotency, with_faults, with_relay):
    app.middlewares.insert(0, middleware)
web.run_app(app, host="127.0.0.1", port=PORT, access_log=None, print=None)
