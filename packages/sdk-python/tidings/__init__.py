"""Client of Tidings: SMS, e-mail and WhatsApp through one API. Needs nothing but Python's own library."""

from ._client import Tidings
from ._errors import (
    AuthenticationError,
    ConflictError,
    ConnectionError,
    InvalidRequestError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitError,
    ServerError,
    TidingsError,
    TimeoutError,
    WaitTimeoutError,
    WebhookVerificationError,
)
from ._pages import Paged
from ._webhooks import unwrap_webhook, verify_webhook

__all__ = [
    "AuthenticationError",
    "ConflictError",
    "ConnectionError",
    "InvalidRequestError",
    "NotFoundError",
    "Paged",
    "PermissionDeniedError",
    "RateLimitError",
    "ServerError",
    "Tidings",
    "TidingsError",
    "TimeoutError",
    "WaitTimeoutError",
    "WebhookVerificationError",
    "unwrap_webhook",
    "verify_webhook",
]
