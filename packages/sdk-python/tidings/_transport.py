"""Sends requests, and retries those that may succeed next time."""

import email.utils
import http.client
import json
import math
import os
import random
import re
import socket
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from datetime import date, datetime
from typing import Any, Dict, Mapping, Optional, Tuple

from ._errors import ConnectionError, TidingsError, TimeoutError, error_of


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirected POST would arrive as a GET, and the key somewhere else."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def _configured(value: Optional[str], option: str, variable: str) -> str:
    found = (value or os.environ.get(variable) or "").strip()
    if found:
        return found
    raise TidingsError(
        0, "invalid_configuration", f"{option} is missing. Pass it to Tidings({option}=…), or set {variable}"
    )


def _checked(base_url: str, api_key: str) -> None:
    """Says nothing of what is wrong: an address can have a password, and the key is one."""
    if not re.match(r"https?://[^\s/?#@]+(/|$)", base_url, re.IGNORECASE):
        raise TidingsError(
            0,
            "invalid_configuration",
            "base_url is not an address like https://tidings.example.com, without a user name",
        )
    if not re.fullmatch(r"[\x21-\x7e]+", api_key):
        raise TidingsError(
            0, "invalid_configuration", "api_key has a character that no key has, such as a space or a line break"
        )


def backoff(attempt: int) -> float:
    """Seconds: before the first retry half a second on average, doubled for each further one; at most eight."""
    return min(0.5 * 2 ** min(attempt, 10), 8.0) * (0.5 + random.random())


def is_retryable(error: TidingsError) -> bool:
    if error.status == 409:
        return error.code == "request_in_progress"
    if error.status == 429:
        # A month's budget.
        return error.code != "ai_budget_exhausted"
    return error.status == 408 or error.status >= 500 or isinstance(error, ConnectionError)


def _time_of(value: str) -> Optional[float]:
    try:
        return email.utils.parsedate_to_datetime(value).timestamp()
    except (TypeError, ValueError):
        return None


def _retry_after(headers: Mapping[str, str]) -> Optional[float]:
    """Seconds. A date counts by the clock of whoever answered, as far as it is told."""
    value = headers.get("retry-after")
    if not value:
        return None
    if re.fullmatch(r"[0-9]+(\.[0-9]+)?", value):
        return float(value)
    at, now = _time_of(value), _time_of(headers.get("date", ""))
    return None if at is None else max(0.0, at - (time.time() if now is None else now))


def _as_text(value: Any) -> str:
    """A date or a time in a body, as the API takes it."""
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} is nothing that a request can have")


def _query_of(query: Optional[Mapping[str, Any]]) -> str:
    pairs = []
    for name, value in (query or {}).items():
        for each in value if isinstance(value, (list, tuple)) else [value]:
            if each is None:
                continue
            text = (
                each.isoformat()
                if isinstance(each, datetime)
                else str(each).lower()
                if isinstance(each, bool)
                else str(each)
            )
            pairs.append((name, text))
    return f"?{urllib.parse.urlencode(pairs)}" if pairs else ""


class Transport:
    def __init__(
        self,
        base_url: Optional[str],
        api_key: Optional[str],
        tenant_id: Optional[str],
        max_retries: int,
        timeout: float,
        max_retry_after: float,
        headers: Optional[Mapping[str, str]],
    ) -> None:
        self.base_url = _configured(base_url, "base_url", "TIDINGS_URL").rstrip("/")
        key = _configured(api_key, "api_key", "TIDINGS_API_KEY")
        _checked(self.base_url, key)
        self._headers = {
            **(headers or {}),
            "Accept": "application/json",
            "Authorization": f"Bearer {key}",
            "X-Tenant-Id": _configured(tenant_id, "tenant_id", "TIDINGS_TENANT_ID"),
            "User-Agent": "tidings-python/0.1.0",
        }
        self._max_retries = max_retries
        self._timeout = timeout
        self._max_retry_after = max_retry_after
        self._opener = urllib.request.build_opener(_NoRedirects)

    def send(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> Any:
        """deadline: of time.monotonic(); no attempt and no wait goes on beyond it."""
        url = f"{self.base_url}{path}{_query_of(query)}"
        headers = dict(self._headers)
        # One for all attempts: it is what makes a repetition safe.
        if method == "POST":
            headers["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body, default=_as_text).encode()
        retries = self._max_retries if max_retries is None else max_retries
        limit = self._timeout if timeout is None else timeout
        attempt = 0
        while True:
            # Zero would mean "do not wait at all" to a socket.
            left = math.inf if deadline is None else max(deadline - time.monotonic(), 0.001)
            try:
                return self._attempt(method, url, headers, data, min(limit, left))
            except TidingsError as error:
                wait = error.retry_after or 0
                if attempt >= retries or not is_retryable(error) or wait > self._max_retry_after:
                    raise
                pause = max(wait, backoff(attempt))
                left = math.inf if deadline is None else deadline - time.monotonic()
                time.sleep(max(min(pause, left), 0))
                if pause >= left:
                    raise
                attempt += 1

    def _attempt(
        self, method: str, url: str, headers: Mapping[str, str], data: Optional[bytes], timeout: float
    ) -> Any:
        request = urllib.request.Request(url, data=data, headers=dict(headers), method=method)
        try:
            status, answered, content = self._call(request, timeout)
        except socket.timeout as error:
            raise TimeoutError(0, "timeout", f"No answer within {timeout} s") from error
        except (OSError, http.client.HTTPException, ssl.SSLError) as error:
            reason = getattr(error, "reason", error)
            if isinstance(reason, socket.timeout):
                raise TimeoutError(0, "timeout", f"No answer within {timeout} s") from error
            raise ConnectionError(0, "connection_failed", f"{self.base_url} cannot be reached: {reason}") from error
        kind = answered.get("content-type", "").lower()
        is_json = "json" in kind
        # A page is of something in between, whatever its status.
        if status < 300 and not is_json and "html" not in kind:
            return content.decode() if content else None
        parsed = None
        if is_json:
            try:
                parsed = json.loads(content)
            except ValueError as error:
                # Half an answer is none.
                raise ConnectionError(status, "connection_failed", "The answer broke off") from error
        if status < 300 and is_json:
            return parsed
        raise error_of(status, parsed, answered, _retry_after(answered))

    def _call(self, request: urllib.request.Request, timeout: float) -> Tuple[int, Dict[str, str], bytes]:
        try:
            with self._opener.open(request, timeout=None if timeout == math.inf else timeout) as response:
                return response.status, _lower(response.headers), response.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, _lower(error.headers), error.read()


def _lower(headers: Any) -> Dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}
