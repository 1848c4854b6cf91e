import { unstable_doesMiddlewareMatch as doesProxyMatch } from "next/experimental/testing/server.js";
import { NextRequest } from "next/server.js";
import { describe, expect, it } from "vitest";
import nextConfig from "../../next.config.js";
import { config, proxy } from "../../proxy.ts";

const matches = (url: string, headers: Record<string, string> = {}) =>
  doesProxyMatch({ config, nextConfig: {}, url: `http://localhost:3000${url}`, headers });

describe("the content security policy of pages", () => {
  it.each([
    "/",
    "/sign-in",
    "/acme",
    "/acme/overview",
    "/docs-team",
    "/docs-team/overview",
    "/v1x/overview",
    "/api-foo",
    "/lx",
    "/l",
    "/healthz-team/templates",
    "/readyz2",
    "/metrics/overview",
    "/console",
    "/console/organisations",
    "/favicon-team",
    "/icons/overview",
    "/_nextdoor",
  ])("is set for %s", (url) => {
    expect(matches(url)).toBe(true);
  });

  it.each([
    "/v1/notifications",
    "/api/trpc/x",
    "/console/api/trpc/x",
    "/l/abc",
    "/status/acme",
    "/docs",
    "/docs/errors",
    "/docs/webhooks",
    "/docs/reference/notifications",
    "/_next/static/x.js",
    "/healthz",
  ])("is not set for %s, which has one of its own", (url) => {
    expect(matches(url)).toBe(false);
  });

  it("is set for prefetched pages", () => {
    for (const headers of [{ "next-router-prefetch": "1" }, { purpose: "prefetch" }] as Record<
      string,
      string
    >[]) {
      expect(matches("/acme/overview", headers)).toBe(true);
    }
  });

  it("lets scripts run with the nonce of this request only", () => {
    const nonceOf = () => {
      const policy = proxy(new NextRequest("http://localhost:3000/acme")).headers.get(
        "content-security-policy",
      );
      return /script-src 'self' 'nonce-([^']+)'/.exec(policy ?? "")?.[1];
    };
    expect(nonceOf()).toBeDefined();
    expect(nonceOf()).not.toBe(nonceOf());
  });
});

it("the image optimizer is off in every mode", () => {
  expect(nextConfig.images).toEqual({ unoptimized: true });
});
