"""Failures of the client. Tell them apart by `code`, by `status`, or by class."""

from typing import Any, Dict, List, Mapping, Optional, Tuple, Type


class TidingsError(Exception):
    """Every failure of the client.

    status: HTTP status; 0 without an answer.
    code: for programs; new codes are added over time, so treat one you do not know by its status.
    detail: what to change.
    errors: each problem in the request, with an RFC 6901 pointer.
    request_id: quote it when you ask for help.
    retry_after: seconds until it makes sense to try again.
    problem: the problem document as it came.
    """

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        errors: Optional[List[Dict[str, Any]]] = None,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
        problem: Optional[Dict[str, Any]] = None,
    ) -> None:
        self.status = status
        self.code = code
        self.detail = detail
        self.errors = errors or []
        self.request_id = request_id
        self.retry_after = retry_after
        self.problem = problem
        more = "".join(f"\n  {each.get('pointer')}: {each.get('detail')}" for each in self.errors)
        super().__init__(f"{detail} ({f'{status} ' if status else ''}{code}){more}")

    def __reduce__(self) -> Tuple[Any, ...]:
        # Errors of a job reach its queue, or the process that started it, pickled.
        return (type(self), (self.status, self.code, self.detail, self.errors), self.__dict__)


class AuthenticationError(TidingsError):
    """401: the key is missing, unknown, expired or revoked."""


class PermissionDeniedError(TidingsError):
    """403: the key is valid and may not do this."""


class NotFoundError(TidingsError):
    """404: it does not exist, or is not yours."""


class ConflictError(TidingsError):
    """409: the state of the resource does not allow it."""


class InvalidRequestError(TidingsError):
    """400, 413, 415, 422: `errors` says what to change."""


class RateLimitError(TidingsError):
    """429: a quota or a rate; `retry_after` says how long."""


class ServerError(TidingsError):
    """5xx."""


class ConnectionError(TidingsError):
    """No answer: DNS, TLS, a refused or broken connection."""


class TimeoutError(ConnectionError):
    """No answer in time."""


class WaitTimeoutError(TidingsError):
    """The time of `messages.wait_for` is up. The message itself goes on.

    last_message: the message as it was last seen; None if there was no answer at all.
    """

    last_message: Optional[Dict[str, Any]] = None


class WebhookVerificationError(TidingsError):
    """A webhook that is not authentic, or too old. Answer it with 401."""


_BY_STATUS: Dict[int, Type[TidingsError]] = {
    400: InvalidRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    413: InvalidRequestError,
    415: InvalidRequestError,
    422: InvalidRequestError,
    429: RateLimitError,
}


def error_of(status: int, body: Any, headers: Mapping[str, str], retry_after: Optional[float]) -> TidingsError:
    """The error of an answer that is no success."""
    kind = _BY_STATUS.get(status, ServerError if status >= 500 else TidingsError)
    request_id = headers.get("x-request-id")
    if isinstance(body, dict) and isinstance(body.get("code"), str):
        errors = body.get("errors")
        return kind(
            status,
            body["code"],
            str(body.get("detail") or body.get("title") or ""),
            errors if isinstance(errors, list) else [],
            body.get("requestId") or request_id,
            retry_after,
            body,
        )
    if 300 <= status < 400:
        detail = f"The answer is a redirect to {headers.get('location', 'another address')}. Use that address as base_url"
    else:
        detail = "The answer is not from Tidings. Check base_url and any proxy in between"
    return kind(status, "unexpected_answer", detail, [], request_id, retry_after)
