"""Lists in pages."""

from typing import Any, Callable, Dict, Iterator, List, Optional

Page = Dict[str, Any]


class Paged:
    """A list that has not been asked for yet: iterate over the items of all pages, or ask for a page at a time."""

    def __init__(self, fetch: Callable[[Optional[str]], Page]) -> None:
        self._fetch = fetch

    def page(self) -> Page:
        """The first page, with `nextCursor`."""
        return self._fetch(None)

    def pages(self) -> Iterator[Page]:
        """Page by page."""
        cursor: Optional[str] = None
        while True:
            page = self._fetch(cursor)
            yield page
            following = page.get("nextCursor")
            # The same cursor again would never end.
            if following is None or following == cursor or page.get("hasMore") is False:
                return
            cursor = following

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        for page in self.pages():
            items: List[Dict[str, Any]] = page.get("data", page.get("files", []))
            yield from items
