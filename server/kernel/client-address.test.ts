import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  callerGroup,
  callerSite,
  clientAddress,
  isTrustedProxy,
  parseProxyRanges,
} from "./client-address.ts";

const none = parseProxyRanges([]);
const proxies = parseProxyRanges(["10.0.0.0/8", "192.0.2.7", "fd00::/8"]);

describe("the address of a caller", () => {
  it("is the other end of the connection where no proxy is trusted, whatever the header says", () => {
    fc.assert(
      fc.property(fc.string(), (forwarded) => {
        expect(clientAddress({ remote: "198.51.100.1", forwarded }, none)).toBe("198.51.100.1");
        expect(clientAddress({ remote: "198.51.100.1", forwarded }, proxies)).toBe("198.51.100.1");
      }),
    );
    expect(clientAddress({ remote: "::ffff:198.51.100.1", forwarded: "1.2.3.4" }, none)).toBe("198.51.100.1");
  });

  it("is the rightmost hop that is not a trusted proxy", () => {
    const of = (forwarded: string | undefined, remote = "10.1.2.3") =>
      clientAddress({ remote, forwarded }, proxies);
    expect(of("203.0.113.9")).toBe("203.0.113.9");
    expect(of("6.6.6.6, 203.0.113.9")).toBe("203.0.113.9");
    expect(of("6.6.6.6, 203.0.113.9, 10.9.9.9,192.0.2.7")).toBe("203.0.113.9");
    expect(of("203.0.113.9:4711")).toBe("203.0.113.9");
    expect(of("[2001:db8::1]:4711", "fd12::1")).toBe("2001:db8::1");
    expect(of("::ffff:203.0.113.9", "::ffff:10.1.2.3")).toBe("203.0.113.9");
    // An unreadable hop says nothing: the last known one stands.
    expect(of("203.0.113.9, unknown")).toBe("10.1.2.3");
    expect(of("203.0.113.9, , 10.9.9.9")).toBe("10.9.9.9");
    expect(of("10.5.5.5")).toBe("10.5.5.5");
    expect(of(undefined)).toBe("10.1.2.3");
    expect(clientAddress({ remote: undefined, forwarded: "1.2.3.4" }, proxies)).toBeNull();
  });

  it("is found in a header of any length without reading all of it", () => {
    const forwarded = `203.0.113.9,${"10.0.0.1,".repeat(10_000)}10.0.0.2`;
    expect(clientAddress({ remote: "10.1.2.3", forwarded }, proxies)).toBe("10.0.0.1");
  });
});

it("refuses an invalid proxy range, by name", () => {
  expect(() => parseProxyRanges(["10.0.0.0/8", "everyone"])).toThrow('Not an address range: "everyone"');
  expect(() => parseProxyRanges(["10.0.0.0/33"])).toThrow("10.0.0.0/33");
});

it("tells the operator's proxies from everybody else", () => {
  expect(isTrustedProxy("::ffff:10.1.1.1", proxies)).toBe(true);
  expect(isTrustedProxy("fd12::1", proxies)).toBe(true);
  expect(isTrustedProxy("11.1.1.1", proxies)).toBe(false);
  expect(isTrustedProxy("10.1.1.1", none)).toBe(false);
  expect(isTrustedProxy(undefined, proxies)).toBe(false);
});

it("counts the addresses of one IPv6 network as one caller", () => {
  expect(callerGroup("2001:db8:1:2:3::4")).toBe(callerGroup("2001:db8:1:2:ffff::1"));
  expect(callerGroup("2001:db8:1:2::")).not.toBe(callerGroup("2001:db8:1:3::"));
  expect(callerGroup("::ffff:1.2.3.4")).toBe("1.2.3.4");
  expect(callerGroup("1.2.3.4")).toBe("1.2.3.4");
  expect(callerGroup(null)).toBe("unknown");
  expect(callerSite("2001:db8:1:2::")).toBe(callerSite("2001:db8:1:3::"));
  expect(callerSite("2001:db8:1::")).not.toBe(callerSite("2001:db8:2::"));
  for (const none of ["1.2.3.4", "::ffff:1.2.3.4", "unknown", null]) expect(callerSite(none)).toBeNull();
});
