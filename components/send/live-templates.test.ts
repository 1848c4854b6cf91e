import { expect, test } from "vitest";
import { liveVersion, whyNotLive } from "./live-templates.ts";

const environment = { id: "p", name: "Production" };
const applications = [{ name: "shop" }];
const deployment = (environmentId: string, disabled: boolean) => ({
  environmentId,
  environment: environmentId,
  version: 3,
  disabled,
  disabledAt: null,
  disabledBy: null,
  disabledReason: null,
  deployedAt: "2026-11-25T14:05:00Z",
});
const template = (...deployments: ReturnType<typeof deployment>[]) => ({
  name: "receipt",
  application: "shop",
  archivedAt: null as string | null,
  deployments,
});

test("a template is live where a version of it is deployed and not switched off", () => {
  expect(liveVersion(template(deployment("s", false), deployment("p", false)), "p")).toBe(3);
  expect(liveVersion(template(deployment("p", true)), "p")).toBeUndefined();
  expect(liveVersion(template(deployment("s", false)), "p")).toBeUndefined();
});

test("what keeps a template from being sent is said", () => {
  const live = template(deployment("p", false));
  const why = (of: typeof live) => whyNotLive(of, environment, applications);
  expect(why(live)).toBeUndefined();
  expect(why(template(deployment("s", false)))).toMatch(/^“receipt” isn't live in Production\./);
  expect(why(template(deployment("p", true)))).toMatch(/^“receipt” is switched off in Production\./);
  expect(why({ ...live, archivedAt: "2026-11-25T14:05:00Z" })).toMatch(/^“receipt” is archived\./);
  expect(why({ ...live, application: "desk" })).toMatch(/belongs to an application that isn't shown here/);
});
