import { expect, test } from "vitest";
import { noticeKinds, type Notice } from "../../server/notices/schemas.ts";
import { noticeLine } from "./notice-text.ts";

const notice = (over: Partial<Notice>): Notice => ({
  id: "01a1fb97-7629-7000-ad1b-22bbb0049287",
  kind: "promotion.requested",
  targetType: "promotion",
  targetId: "01a1fb97-7629-7000-ad1b-22bbb0049288",
  data: { by: "Ada", application: "webshop", from: "staging", to: "production", templates: 2 },
  createdAt: "2027-01-01T00:00:00.000Z",
  readAt: null,
  ...over,
});
const environments = [{ slug: "production", name: "Live" }];

test("a notice calls the environment by the name that people know, and leads to its promotion", () => {
  expect(noticeLine(notice({}), environments)).toEqual({
    title: "Ada asks you to approve 2 templates to Live",
    detail: "webshop",
    path: "/pipeline/promotions/01a1fb97-7629-7000-ad1b-22bbb0049288",
  });
});

test("an environment that is gone keeps its short name", () => {
  expect(noticeLine(notice({}), []).title).toContain("to production");
});

test("every kind has a sentence of its own", () => {
  const titles = noticeKinds.map((kind) => {
    const data = {
      ...notice({}).data,
      ...(kind === "template.recategorised" && { from: "2027-01-01T00:00:00Z" }),
    };
    return noticeLine(notice({ kind, data }), environments).title;
  });
  expect(new Set(titles).size).toBe(noticeKinds.length);
});

test("a notice of a budget says of which month, as prices of one that is over come late", () => {
  const data = { budget: "Shop", percent: 80, month: "2026-10" };
  const line = noticeLine(
    notice({ kind: "budget.threshold_reached", targetType: "budget", data }),
    environments,
  );
  expect(line).toMatchObject({
    title: "The budget “Shop” has reached 80%",
    detail: "In October 2026. Messages are still sent",
  });
});

test("a notice of an endpoint that was turned off says why, and leads to it", () => {
  const data = { host: "example.com", reason: "gone" };
  expect(
    noticeLine(notice({ kind: "webhook.turned_off", targetType: "webhook", data }), environments),
  ).toEqual({
    title: "The webhook endpoint at example.com was turned off",
    detail: "It answered 410 Gone. What it misses is kept for 30 days",
    path: "/webhooks/01a1fb97-7629-7000-ad1b-22bbb0049288",
  });
});

test("a notice of a connection says what is wrong with it, and leads to its health", () => {
  const line = noticeLine(
    notice({
      kind: "provider.unavailable",
      targetType: "provider",
      data: { provider: "Primary", since: "2027-01-01T00:00:00.000Z", reason: "No answer" },
    }),
    environments,
  );
  expect(line).toEqual({
    title: "Primary is unavailable",
    detail: "No answer",
    path: "/health",
    query: { connection: "01a1fb97-7629-7000-ad1b-22bbb0049288" },
  });
});
