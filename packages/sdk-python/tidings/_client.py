"""The client of one installation and one API key."""

import random
import time
import uuid
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Callable, Collection, Dict, Iterator, Mapping, Optional, Union

from . import _resources
from ._errors import TidingsError, WaitTimeoutError
from ._transport import Transport, backoff, is_retryable
from ._webhooks import unwrap_webhook, verify_webhook


def _texts(values: Mapping[str, Any]) -> Dict[str, Any]:
    """Numbers and dates as the texts that the API takes; the service says what is wrong with anything else."""
    texts: Dict[str, Any] = {}
    for name, value in values.items():
        if value is None:
            continue
        if isinstance(value, (datetime, date)):
            texts[name] = value.isoformat()
        elif isinstance(value, (int, float, Decimal)) and not isinstance(value, bool):
            texts[name] = str(value)
        else:
            texts[name] = value
    return texts


def _with_texts(entry: Mapping[str, Any]) -> Dict[str, Any]:
    return {**entry, "variables": _texts(entry["variables"])} if entry.get("variables") else dict(entry)


class Messages(_resources.Messages):
    def create(self, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Sends one message by the name of its template."""
        return super().create(_with_texts(body), idempotency_key=idempotency_key)

    def wait_for(
        self,
        id: str,
        *,
        until: Union[None, str, Collection[str], Callable[[Dict[str, Any]], bool]] = None,
        timeout: float = 60.0,
    ) -> Dict[str, Any]:
        """The message once its status can't change any more. Raises a WaitTimeoutError with the message as last seen.

        until: a status or several: the wait ends at the first of them, or when the message is `final` with another one. A
        status that passes between two requests is not seen. A function: the wait ends when it returns True.
        timeout: seconds for the whole wait.
        """
        statuses = [until] if isinstance(until, str) else until or ()
        deadline = time.monotonic() + timeout
        last: Optional[Dict[str, Any]] = None
        look = 0
        while True:
            try:
                last = self._call("GET", "/v1/notifications/{id}", id, deadline=deadline)
            except TidingsError as error:
                # Clocks and sockets round.
                if time.monotonic() < deadline - 0.01:
                    raise
                raise self._late(id, timeout, last) from error
            if until(last) if callable(until) else last["final"] or last["status"] in statuses:
                return last
            left = deadline - time.monotonic()
            if left <= 0:
                raise self._late(id, timeout, last)
            # A quarter of a second at first, five at most; the last look is shortly before the end.
            pause = min(0.25 * 1.5 ** min(look, 10), 4.0) * (0.75 + random.random() / 2)
            time.sleep(min(pause, left - 0.5 if left > 1 else left))
            look += 1

    @staticmethod
    def _late(id: str, timeout: float, last: Optional[Dict[str, Any]]) -> WaitTimeoutError:
        seen = f"still {last['status']}" if last else "unknown"
        error = WaitTimeoutError(0, "wait_timeout", f"Message {id} is {seen} after {timeout} s")
        error.last_message = last
        return error


class Events(_resources.Events):
    def follow(
        self,
        *,
        interval: float = 1.0,
        on_cursor: Optional[Callable[[str], Any]] = None,
        on_retry: Optional[Callable[[TidingsError], Any]] = None,
        **query: Any,
    ) -> Iterator[Dict[str, Any]]:
        """What happened and what happens from now on, without end, also across outages: once it has answered, only errors
        that do not pass by themselves are raised, such as a revoked key.

        interval: seconds between two questions while nothing happens.
        on_cursor: called with the cursor after each page once its events were processed. Keep it and pass it as `cursor` next
        time: after a crash the events of one page come again, and none is missed.
        on_retry: called when the service could not be read from: it is asked again until it answers.
        """
        answered = False
        failures = 0
        while True:
            try:
                page = self.list(**query).page()
            except TidingsError as error:
                if not answered or not is_retryable(error):
                    raise
                if on_retry is not None:
                    on_retry(error)
                time.sleep(max(error.retry_after or 0, backoff(failures)))
                failures += 1
                continue
            answered = True
            failures = 0
            yield from page["data"]
            if on_cursor is not None:
                on_cursor(page["nextCursor"])
            query.pop("since", None)
            query["cursor"] = page["nextCursor"]
            if not page["hasMore"]:
                time.sleep(interval)


class Webhooks(_resources.Webhooks):
    verify = staticmethod(verify_webhook)
    unwrap = staticmethod(unwrap_webhook)


class Tidings:
    """A client of one installation and one API key.

    Without arguments TIDINGS_URL, TIDINGS_API_KEY and TIDINGS_TENANT_ID are used. Every method raises a TidingsError.

    max_retries: retries after a failure that may pass.
    timeout: seconds without an answer, for one attempt.
    max_retry_after: the longest Retry-After that is waited for, in seconds; beyond it the error is raised at once.
    """

    def __init__(
        self,
        base_url: Optional[str] = None,
        api_key: Optional[str] = None,
        tenant_id: Optional[str] = None,
        *,
        max_retries: int = 2,
        timeout: float = 30.0,
        max_retry_after: float = 60.0,
        headers: Optional[Mapping[str, str]] = None,
    ) -> None:
        transport = Transport(base_url, api_key, tenant_id, max_retries, timeout, max_retry_after, headers)
        self._transport = transport
        self.messages = Messages(transport)
        self.broadcasts = _resources.Broadcasts(transport)
        self.conversations = _resources.Conversations(transport)
        self.consents = _resources.Consents(transport)
        self.contacts = _resources.Contacts(transport)
        self.contact_groups = _resources.ContactGroups(transport)
        self.suppressions = _resources.Suppressions(transport)
        self.sandbox = _resources.Sandbox(transport)
        self.templates = _resources.Templates(transport)
        self.template_imports = _resources.TemplateImports(transport)
        self.pipelines = _resources.Pipelines(transport)
        self.promotions = _resources.Promotions(transport)
        self.providers = _resources.Providers(transport)
        self.routing_rules = _resources.RoutingRules(transport)
        self.reports = _resources.Reports(transport)
        self.objectives = _resources.Objectives(transport)
        self.exports = _resources.Exports(transport)
        self.erasures = _resources.Erasures(transport)
        self.recipient_limits = _resources.RecipientLimits(transport)
        self.retention = _resources.Retention(transport)
        self.notification_types = _resources.NotificationTypes(transport)
        self.residency = _resources.Residency(transport)
        self.shorteners = _resources.Shorteners(transport)
        self.webhooks = Webhooks(transport)
        self.events = Events(transport)
        self.api_keys = _resources.ApiKeys(transport)
        self.audit_events = _resources.AuditEvents(transport)

    def send(self, request: Mapping[str, Any], *, idempotency_key: Optional[str] = None) -> Dict[str, Any]:
        """Sends messages to recipients and contact groups. The answer comes when they are stored; each recipient has its
        own result. Safe to repeat with the same `transactionId`, which is made here when there is none.
        """
        body: Dict[str, Any] = {"transactionId": str(uuid.uuid4()), **request}
        if body["transactionId"] is None:
            body["transactionId"] = str(uuid.uuid4())
        if body.get("templateVariables"):
            body["templateVariables"] = [_texts(each) for each in body["templateVariables"]]
        if body.get("recipients"):
            body["recipients"] = [_with_texts(each) for each in body["recipients"]]
        answer: Dict[str, Any] = self._transport.send(
            "POST", "/api/app/notifications/send", body=body, idempotency_key=idempotency_key
        )
        return answer

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Any:
        """Any operation by method and path."""
        return self._transport.send(
            method,
            path,
            query=query,
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
