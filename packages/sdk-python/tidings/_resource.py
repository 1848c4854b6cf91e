"""What the resources of the client have in common."""

import urllib.parse
from typing import Any, Dict, Mapping, Optional, Union

from ._errors import TidingsError
from ._pages import Page, Paged
from ._transport import Transport


def fill(path: str, *values: Union[str, int]) -> str:
    """Puts values into the braces of a path. One that is empty or made of dots would lead to another operation."""
    parts = path.split("/")
    given = iter(values)
    for at, part in enumerate(parts):
        if not part.startswith("{"):
            continue
        value = str(next(given, ""))
        if value in ("", ".", ".."):
            raise TidingsError(0, "invalid_configuration", f"{path} needs the {part[1:-1]} as a text that is not empty")
        parts[at] = urllib.parse.quote(value, safe="")
    return "/".join(parts)


class Resource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def _call(
        self,
        method: str,
        path: str,
        *values: Union[str, int],
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[Mapping[str, Any]] = None,
        idempotency_key: Optional[str] = None,
        deadline: Optional[float] = None,
    ) -> Any:
        return self._transport.send(
            method,
            fill(path, *values),
            query=query,
            body=body,
            idempotency_key=idempotency_key,
            deadline=deadline,
        )

    def _pages(self, query: Mapping[str, Any], path: str, *values: Union[str, int]) -> Paged:
        where = fill(path, *values)

        def fetch(cursor: Optional[str]) -> Page:
            asked: Dict[str, Any] = dict(query)
            if cursor is not None:
                # A feed's `since` says where the first page begins; the cursor knows it from then on.
                asked.pop("since", None)
                asked["cursor"] = cursor
            page: Page = self._transport.send("GET", where, query=asked)
            return page

        return Paged(fetch)
