import { Socket } from "node:net";
import fc from "fast-check";
import { expect, it, vi } from "vitest";
import { parseProxyRanges } from "../kernel/client-address.ts";
import { logger } from "../kernel/log.ts";
import { resolveClientAddress, normalizeRequest } from "./normalize-request.ts";

function normalized(url: string, method = "GET") {
  const request = { url, method };
  normalizeRequest(request);
  return request;
}

it("makes every path decodable, and leaves decodable ones alone", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("%", "ff", "41", "/", "?", "a", "%c3%a9", "%E0%A4%A")), (parts) => {
      const url = `/${parts.join("")}`;
      const path = url.split("?", 1)[0] ?? "";
      let decodable = true;
      try {
        decodeURIComponent(path);
      } catch {
        decodable = false;
      }
      const after = normalized(url).url;
      expect(() => decodeURIComponent(after.split("?", 1)[0] ?? "")).not.toThrow();
      if (decodable) expect(after).toBe(url);
      else expect(decodeURIComponent(after.split("?", 1)[0] ?? "")).toBe(path);
      expect(after.split("?").slice(1)).toEqual(url.split("?").slice(1));
    }),
  );
});

it("keeps the query as it is", () => {
  expect(normalized("/a?b=%ff").url).toBe("/a?b=%ff");
  expect(normalized("/%ff?b=%ff").url).toBe("/%25ff?b=%ff");
});

it("turns TRACE into a method that no route has", () => {
  expect(normalized("/a", "TRACE").method).toBe("PROPFIND");
  expect(normalized("/a", "POST").method).toBe("POST");
});

it("warns about an unlisted proxy, once an hour, and about no listed one", () => {
  const warn = vi.spyOn(logger(), "warn").mockImplementation(() => undefined);
  const clock = vi.spyOn(performance, "now").mockReturnValue(0);
  const trusted = parseProxyRanges(["10.0.0.0/8"]);
  const judge = (remoteAddress: string, forwarded?: string) =>
    resolveClientAddress(
      {
        headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
        socket: Object.defineProperty(new Socket(), "remoteAddress", { value: remoteAddress }),
      },
      trusted,
    );
  judge("192.0.2.9");
  expect(judge("10.0.0.1", "198.51.100.1")).toBe("198.51.100.1");
  expect(warn).not.toHaveBeenCalled();
  expect(judge("192.0.2.9", "198.51.100.1")).toBe("192.0.2.9");
  judge("192.0.2.10", "198.51.100.1");
  expect(warn).toHaveBeenCalledOnce();
  expect(warn).toHaveBeenCalledWith({ peer: "192.0.2.9" }, expect.stringContaining("TRUSTED_PROXIES"));
  clock.mockReturnValue(3_600_000);
  judge("192.0.2.9", "198.51.100.1");
  expect(warn).toHaveBeenCalledTimes(2);
  vi.restoreAllMocks();
});
