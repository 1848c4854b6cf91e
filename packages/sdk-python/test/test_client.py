"""Run by python.test.ts, which starts the service and names it in the environment."""

import inspect
import json
import os
import pickle
import threading
import time
import unittest
from datetime import date, datetime, timezone
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Dict
from unittest import mock

import tidings
from tidings import Tidings, TidingsError
from tidings._transport import _retry_after

ORDER = {
    "application": "webshop",
    "region": "DE",
    "language": "en",
    "notificationType": "order",
    "notificationSubtype": "order_status",
    "recipients": [{"channel": "email", "recipient": "ada@example.com"}],
    "templateVariables": [
        {"customerName": "Ada", "orderNumber": 4711, "status": "shipped", "trackingUrl": "https://shop.example/1"}
    ],
}


class Live(unittest.TestCase):
    """Against the real service."""

    client = Tidings()

    def test_sends_follows_and_repeats(self) -> None:
        sent = self.client.send(ORDER)
        self.assertRegex(sent["transactionId"], r"^[0-9a-f-]{36}$")
        message_id = sent["notifications"][0]["notificationId"]
        self.assertEqual(self.client.messages.get(message_id)["application"], "webshop")
        again = self.client.send({**ORDER, "transactionId": sent["transactionId"]})
        self.assertEqual(again["notifications"][0]["notificationId"], message_id)
        self.assertEqual(self.client.messages.cancel(message_id)["status"], "canceled")
        self.assertEqual(self.client.messages.wait_for(message_id)["status"], "canceled")

    def test_iterates_over_all_pages(self) -> None:
        for _ in range(5):
            self.client.send(ORDER)
        ids = [message["notificationId"] for message in self.client.messages.list(limit=2)]
        self.assertGreaterEqual(len(ids), 5)
        self.assertEqual(len(set(ids)), len(ids))
        self.assertEqual(len(self.client.messages.list(limit=2).page()["data"]), 2)

    def test_iterates_over_the_pages_of_the_feed_that_begins_at_a_time(self) -> None:
        began = time.time() - 3_600
        since = datetime.fromtimestamp(began, timezone.utc).isoformat()
        deadline = time.time() + 15
        while True:
            ids = [event["id"] for event in self.client.events.list(since=since, limit=2)]
            if len(ids) > 4 or time.time() > deadline:
                break
            time.sleep(0.5)
        self.assertGreater(len(ids), 4)
        self.assertEqual(len(set(ids)), len(ids))

    def test_reads_events(self) -> None:
        sent = self.client.send(ORDER)
        wanted = sent["notifications"][0]["notificationId"]
        cursors: list = []
        for event in self.client.events.follow(interval=0.05, limit=1, on_cursor=cursors.append):
            if event["data"].get("notificationId") == wanted:
                break
        self.assertEqual(event["event"], "notification.queued")
        self.assertIsInstance(list(self.client.events.list(event="notification.queued")), list)

    def test_errors_say_what_to_change(self) -> None:
        with self.assertRaises(tidings.InvalidRequestError) as refused:
            self.client.send({**ORDER, "recipients": [{"channel": "pigeon", "recipient": "x"}]})
        self.assertEqual((refused.exception.status, refused.exception.code), (422, "invalid_request"))
        self.assertEqual(refused.exception.errors[0]["pointer"], "/recipients/0/channel")
        self.assertTrue(refused.exception.request_id)
        with self.assertRaises(tidings.AuthenticationError):
            Tidings(api_key="tdg_sbx_nonsense").messages.list().page()
        with self.assertRaises(tidings.PermissionDeniedError) as mismatch:
            Tidings(tenant_id="0197f4a0-5b7e-7c1a-9d3e-00000000ffff").send(ORDER)
        self.assertEqual(mismatch.exception.code, "tenant_mismatch")
        for wrong in ("", ".", ".."):
            with self.assertRaises(TidingsError):
                self.client.webhooks.delete(wrong)
        with self.assertRaises(tidings.NotFoundError):
            self.client.messages.get("../webhooks")

    def test_configuration_is_named(self) -> None:
        with mock.patch.dict(os.environ):
            del os.environ["TIDINGS_TENANT_ID"]
            with self.assertRaisesRegex(TidingsError, "TIDINGS_TENANT_ID"):
                Tidings()
        for wrong in (
            lambda: Tidings("tidings.example.com"),
            lambda: Tidings("https://ada:tdg_live_secret@tidings.example.com"),
            lambda: Tidings(api_key="tdg_live_secret\ntdg_live_other"),
            lambda: Tidings(api_key="tdg_live_secret\u2026"),
        ):
            with self.assertRaises(TidingsError) as error:
                wrong()
            self.assertEqual(error.exception.code, "invalid_configuration")
            self.assertNotIn("secret", str(error.exception))

    def test_lost_answers_send_nothing_twice(self) -> None:
        client = Tidings(os.environ["PROXY_URL"], max_retries=12)
        with mock.patch("tidings._transport.backoff", lambda _: 0.01):
            for _ in range(100):
                client.send({**ORDER, "metadata": {"mark": "python"}})

    def test_webhooks_of_the_service(self) -> None:
        hook = json.loads(os.environ["HOOK"])
        body, headers, secret = hook["body"], hook["headers"], hook["secret"]
        event = tidings.unwrap_webhook(body, headers, secret)
        self.assertEqual(event["event"], "notification.queued")
        other = "whsec_" + "A" * 43 + "="
        self.client.webhooks.verify(body.encode(), headers, [other, secret])
        sent = int(headers["webhook-timestamp"])
        for changed in (
            lambda: tidings.verify_webhook(body.replace("ada@", "eve@"), headers, secret),
            lambda: tidings.verify_webhook(body, {**headers, "webhook-id": "other"}, secret),
            lambda: tidings.verify_webhook(body, headers, other),
            lambda: tidings.verify_webhook(body, headers, []),
            lambda: tidings.verify_webhook(body, headers, "whsec_"),
            lambda: tidings.verify_webhook(body, headers, secret, now=sent + 301),
            lambda: tidings.verify_webhook(body, headers, secret, now=sent - 301),
            lambda: tidings.verify_webhook(body, {**headers, "webhook-signature": "v1,ü v2,x"}, secret),
            lambda: tidings.verify_webhook(body, {}, secret),
        ):
            with self.assertRaises(tidings.WebhookVerificationError):
                changed()
        tidings.verify_webhook(body, headers, secret, now=sent + 299)

    def test_every_method_is_documented_and_typed(self) -> None:
        for name, resource in vars(self.client).items():
            if name.startswith("_"):
                continue
            for method, function in inspect.getmembers(resource, callable):
                if not method.startswith("_"):
                    self.assertTrue(function.__doc__, f"{name}.{method}")
                    self.assertIn("return", function.__annotations__, f"{name}.{method}")


class Fault(BaseHTTPRequestHandler):
    seen: list = []
    replies: list = []

    def answer(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        body = self.rfile.read(length).decode()
        Fault.seen.append((f"{self.command} {self.path}", dict(self.headers), body, time.monotonic()))
        status, code, headers = Fault.replies.pop(0) if Fault.replies else (200, None, {})
        if status == 0:
            self.close_connection = True
            return
        if status == -1:
            time.sleep(1)
            return
        if isinstance(code, dict):
            answer: dict = code
        else:
            answer = {"data": [], "nextCursor": None} if status == 200 else {"code": code, "detail": code}
        content = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", headers.get("Content-Type", "application/json"))
        self.send_header("Content-Length", str(len(content)))
        for name, value in headers.items():
            if name != "Content-Type":
                self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_DELETE = answer

    def log_message(self, *_: object) -> None:
        pass


class Retries(unittest.TestCase):
    """Against a server with faults."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = ThreadingHTTPServer(("127.0.0.1", 0), Fault)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.url = f"http://127.0.0.1:{cls.server.server_port}"

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.shutdown()
        cls.server.server_close()

    def setUp(self) -> None:
        Fault.seen.clear()
        Fault.replies.clear()
        patch = mock.patch("tidings._transport.backoff", lambda _: 0.01)
        patch.start()
        self.addCleanup(patch.stop)

    def test_retries_what_may_pass(self) -> None:
        for reply in ((0, None), (408, "x"), (409, "request_in_progress"), (429, "rate_limited"), (500, "x"), (503, "x")):
            Fault.seen.clear()
            Fault.replies[:] = [(*reply, {})] * 2
            Tidings(self.url).send(ORDER)
            self.assertEqual(len(Fault.seen), 3, reply)
            self.assertEqual(len({body for _, _, body, _ in Fault.seen}), 1)
            self.assertEqual(len({headers["Idempotency-Key"] for _, headers, _, _ in Fault.seen}), 1)
            self.assertTrue(all(headers["X-Tenant-Id"] for _, headers, _, _ in Fault.seen))

    def test_gives_up_after_two_retries(self) -> None:
        Fault.replies[:] = [(503, "service_overloaded", {})] * 5
        with self.assertRaises(tidings.ServerError):
            Tidings(self.url).send(ORDER)
        self.assertEqual(len(Fault.seen), 3)

    def test_does_not_repeat_what_would_be_the_same(self) -> None:
        for reply in ((400, "x"), (401, "x"), (404, "x"), (409, "revision_conflict"), (422, "x"), (429, "ai_budget_exhausted")):
            Fault.seen.clear()
            Fault.replies[:] = [(*reply, {})]
            with self.assertRaises(TidingsError) as error:
                Tidings(self.url).send(ORDER)
            self.assertEqual((error.exception.status, error.exception.code, len(Fault.seen)), (*reply, 1))

    def test_waits_as_retry_after_says_within_bounds(self) -> None:
        Fault.replies[:] = [(429, "rate_limited", {"Retry-After": "1"})]
        Tidings(self.url).send(ORDER)
        self.assertGreater(Fault.seen[1][3] - Fault.seen[0][3], 0.99)
        Fault.seen.clear()
        Fault.replies[:] = [(429, "quota_exceeded", {"Retry-After": "86400"})]
        with self.assertRaises(tidings.RateLimitError) as error:
            Tidings(self.url).send(ORDER)
        self.assertEqual((error.exception.retry_after, len(Fault.seen)), (86400, 1))

    def test_a_date_in_retry_after_counts_by_the_clock_of_the_service(self) -> None:
        def headers(start: float) -> Dict[str, str]:
            return {"date": formatdate(start, usegmt=True), "retry-after": formatdate(start + 5, usegmt=True)}

        for hours in (-2, 0, 2):
            self.assertEqual(_retry_after(headers(time.time() + hours * 3_600)), 5)
        here = {"retry-after": formatdate(time.time() + 60, usegmt=True)}
        self.assertAlmostEqual(_retry_after(here) or 0, 60, delta=2)
        self.assertIsNone(_retry_after({"retry-after": "soon"}))

    def test_timeouts_and_redirects(self) -> None:
        Fault.replies[:] = [(-1, None, {})]
        with self.assertRaises(tidings.TimeoutError):
            Tidings(self.url, timeout=0.2, max_retries=0).send(ORDER)
        Fault.replies[:] = [(301, None, {"Location": "https://tidings.example/"})]
        with self.assertRaisesRegex(TidingsError, "https://tidings.example/"):
            Tidings(self.url).send(ORDER)
        with self.assertRaises(tidings.ConnectionError):
            Tidings("http://127.0.0.1:9", max_retries=0).send(ORDER)

    def test_a_page_is_no_answer_whatever_its_status(self) -> None:
        Fault.replies[:] = [(200, None, {"Content-Type": "text/html"})]
        with self.assertRaises(TidingsError) as error:
            Tidings(self.url).send(ORDER)
        self.assertEqual((error.exception.status, error.exception.code), (200, "unexpected_answer"))

    def test_a_key_from_a_file_may_end_with_a_line_break(self) -> None:
        Tidings(self.url, "tdg_sbx_key\n", timeout=float("inf")).messages.list().page()
        self.assertEqual(Fault.seen[0][1]["Authorization"], "Bearer tdg_sbx_key")

    def test_errors_pass_from_one_process_to_another(self) -> None:
        Fault.replies[:] = [(422, {"code": "invalid_request", "detail": "x", "errors": [{"pointer": "/a", "detail": "b"}]}, {})]
        with self.assertRaises(tidings.InvalidRequestError) as refused:
            Tidings(self.url).send(ORDER)
        error = pickle.loads(pickle.dumps(refused.exception))
        self.assertIsInstance(error, tidings.InvalidRequestError)
        self.assertEqual((vars(error), str(error)), (vars(refused.exception), str(refused.exception)))

    def test_waits_for_a_message(self) -> None:
        def message(status: str, final: bool = False) -> tuple:
            return (200, {"notificationId": "m", "status": status, "final": final}, {})

        messages = Tidings(self.url).messages
        Fault.replies[:] = [message("queued"), message("sending"), message("sent"), message("delivered", True)]
        self.assertEqual(messages.wait_for("m")["status"], "delivered")
        times = [at for _, _, _, at in Fault.seen]
        self.assertGreater(times[1] - times[0], 0.18)
        self.assertGreater(times[3] - times[2], 0.4)
        Fault.replies[:] = [message("queued"), message("sent")]
        self.assertEqual(messages.wait_for("m", until="sent")["status"], "sent")
        Fault.replies[:] = [message("failed", True)]
        self.assertEqual(messages.wait_for("m", until=["sent", "delivered"])["status"], "failed")
        Fault.replies[:] = [message("delivered", True), (200, {"status": "delivered", "final": True, "readAt": "2027"}, {})]
        self.assertEqual(messages.wait_for("m", until=lambda m: bool(m.get("readAt")))["readAt"], "2027")
        Fault.replies[:] = [(404, "not_found", {})]
        with self.assertRaises(tidings.NotFoundError):
            messages.wait_for("m")

    def test_a_wait_is_bounded(self) -> None:
        sending = (200, {"status": "sending", "final": False}, {})
        retry = {"Retry-After": "30"}
        for timeout, replies, last in (
            (0.6, [sending] * 50, "sending"),
            # More than one: a request that the wait before gave up may arrive only now.
            (0.3, [(-1, None, {})] * 50, None),
            (0.6, [sending, (429, "rate_limited", retry)], "sending"),
        ):
            Fault.replies[:] = replies
            begun = time.monotonic()
            with self.assertRaises(tidings.WaitTimeoutError) as late:
                Tidings(self.url).messages.wait_for("m", timeout=timeout)
            self.assertLess(time.monotonic() - begun, timeout + 0.4)
            seen = late.exception.last_message
            self.assertEqual((late.exception.code, seen and seen["status"]), ("wait_timeout", last))

    def test_following_events_outlives_an_outage(self) -> None:
        def page(id: str) -> tuple:
            return (200, {"data": [{"id": id}], "nextCursor": f"after-{id}", "hasMore": True}, {})

        Fault.replies[:] = [page("1"), (503, "service_overloaded", {}), (500, "internal_error", {}), page("2")]
        Fault.replies.append((401, "unauthenticated", {}))
        told: list = []
        ids: list = []
        with self.assertRaises(tidings.AuthenticationError):
            for event in Tidings(self.url, max_retries=0).events.follow(on_retry=told.append):
                ids.append(event["id"])
        self.assertEqual(ids, ["1", "2"])
        self.assertEqual([error.code for error in told], ["service_overloaded", "internal_error"])
        self.assertTrue(all("cursor=after-1" in asked for asked, *_ in Fault.seen[1:4]))
        Fault.replies[:] = [(503, "service_overloaded", {})]
        with self.assertRaises(tidings.ServerError):
            next(Tidings(self.url, max_retries=0).events.follow())

    def test_values_become_texts(self) -> None:
        client = Tidings(self.url)
        client.messages.create({"to": "x", "variables": {"n": 12.5, "day": date(2027, 1, 31), "none": None, "yes": True}})
        self.assertEqual(json.loads(Fault.seen[0][2])["variables"], {"n": "12.5", "day": "2027-01-31", "yes": True})
        client.send({**ORDER, "scheduledAt": datetime(2027, 1, 31, 8, tzinfo=timezone.utc)})
        self.assertEqual(json.loads(Fault.seen[1][2])["scheduledAt"], "2027-01-31T08:00:00+00:00")


class Backoff(unittest.TestCase):
    def test_waits_longer_each_time_and_never_the_same(self) -> None:
        from tidings._transport import backoff

        waits = [backoff(attempt) for attempt in range(8)]
        for attempt, wait in enumerate(waits):
            middle = min(0.5 * 2**attempt, 8.0)
            self.assertTrue(middle * 0.5 <= wait < middle * 1.5)
        self.assertEqual(len(set(waits)), 8)


if __name__ == "__main__":
    unittest.main()
