"""Verification of webhooks by their headers (Standard Webhooks)."""

import base64
import binascii
import hashlib
import hmac
import json
import os
import re
import time
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from ._errors import WebhookVerificationError

Secrets = Union[str, Sequence[str], None]


def _refused(detail: str) -> WebhookVerificationError:
    return WebhookVerificationError(0, "invalid_webhook", detail)


def verify_webhook(
    body: Union[str, bytes],
    headers: Mapping[str, str],
    secret: Secrets = None,
    *,
    tolerance: float = 300,
    now: Optional[float] = None,
) -> None:
    """Raises WebhookVerificationError when a webhook is not authentic or too old.

    body: as it came; parsed and written again it would have another signature.
    secret: the endpoint's signing secret (whsec_…), or several while you rotate it; TIDINGS_WEBHOOK_SECRET without it.
    tolerance: how old it may be, and how far ahead its clock, in seconds.
    """
    known = {name.lower(): value for name, value in headers.items()}
    id_, timestamp, signatures = (known.get(f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    if not id_ or not timestamp or not signatures:
        raise _refused("The headers webhook-id, webhook-timestamp and webhook-signature are needed")
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise _refused("webhook-timestamp is not a time")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance:
        raise _refused("The webhook is too old, or the clock of this machine is wrong")
    given: Secrets = secret if secret is not None else os.environ.get("TIDINGS_WEBHOOK_SECRET")
    secrets: List[str] = [given] if isinstance(given, str) else list(given or [])
    if not secrets:
        raise _refused("There is no signing secret to verify with. Pass it, or set TIDINGS_WEBHOOK_SECRET")
    content = body.encode() if isinstance(body, str) else body
    signed = f"{id_}.{timestamp}.".encode() + content
    # With each of the current and the previous secret, for a day after a rotation.
    candidates = [each[3:] for each in signatures.split(" ")[:16] if each.startswith("v1,")]
    for each in secrets:
        try:
            key = base64.b64decode(each[6:] if each.startswith("whsec_") else each, validate=True)
        except (binascii.Error, ValueError):
            key = b""
        if not key:
            raise _refused("The signing secret is not one: it begins with whsec_")
        expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
        for candidate in candidates:
            # In constant time.
            if hmac.compare_digest(expected, candidate.encode("utf-8", "replace")):
                return
    raise _refused("No signature fits. Check the signing secret, and that the body is verified as it came")


def unwrap_webhook(
    body: Union[str, bytes],
    headers: Mapping[str, str],
    secret: Secrets = None,
    *,
    tolerance: float = 300,
    now: Optional[float] = None,
) -> Dict[str, Any]:
    """Verifies a webhook as verify_webhook does, and returns its event. Fields and events that are new pass."""
    verify_webhook(body, headers, secret, tolerance=tolerance, now=now)
    try:
        event: Dict[str, Any] = json.loads(body)
    except ValueError as error:
        raise _refused("The body is not JSON") from error
    return event
