import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAddressGuard } from "./outbound-address.ts";

const guard = createAddressGuard([]);

describe("the address guard", () => {
  it.each([
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "127.255.255.254",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.8",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.7",
    "203.0.113.9",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::ffff:10.0.0.1",
    "::ffff:0:127.0.0.1",
    "64:ff9b::127.0.0.1",
    "64:ff9b::a00:1",
    "64:ff9b::169.254.169.254",
    "64:ff9b:1::808:808",
    "100::1",
    "2001::1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "2001:2::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "2002:808:808::1",
    "3fff::1",
    "4000::1",
    "5f00::1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fe80::1%lo",
    "2606:4700::1111%eth0",
    "fec0::1",
    "ff02::1",
  ])("refuses %s", (address) => {
    expect(guard.check(address, 443)).toBeNull();
  });

  it.each([
    "8.8.8.8",
    "1.1.1.1",
    "172.32.0.1",
    "100.128.0.1",
    "2606:4700:4700::1111",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
  ])("allows the public address %s", (address) => {
    expect(guard.check(address, 443)).toMatchObject({ address, allowed: false });
  });

  it("refuses every private IPv4 address in every IPv6 form that reaches it", () => {
    const privateIpv4 = fc
      .tuple(
        fc.constantFrom([10], [127], [192, 168], [169, 254], [172, 16], [100, 64], [0]),
        fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 4, maxLength: 4 }),
      )
      .map(([prefix, tail]) => [...prefix, ...tail].slice(0, 4));
    fc.assert(
      fc.property(privateIpv4, (bytes) => {
        const dotted = bytes.join(".");
        const hex = [bytes.slice(0, 2), bytes.slice(2)]
          .map((pair) => Buffer.from(pair).toString("hex"))
          .join(":");
        const forms = [
          dotted,
          `::ffff:${dotted}`,
          `::ffff:${hex}`,
          `0:0:0:0:0:FFFF:${hex}`,
          `64:ff9b::${dotted}`,
          `64:ff9b::${hex}`,
          `2002:${hex}::1`,
          `::${hex}`,
        ];
        for (const form of forms) expect(guard.check(form, 443), form).toBeNull();
      }),
    );
  });

  it("opens exactly the ranges that the operator names, whatever the form of the address", () => {
    const opened = createAddressGuard(["127.0.0.0/8", "fd00:1::/32", "10.0.0.5"]);
    expect(opened.check("127.0.0.1", 443)).toEqual({ address: "127.0.0.1", family: 4, allowed: true });
    expect(opened.check("::ffff:127.0.0.1", 443)).toMatchObject({ allowed: true });
    expect(opened.check("fd00:1::2", 443)).toMatchObject({ allowed: true });
    expect(opened.check("10.0.0.5", 443)).toMatchObject({ allowed: true });
    expect(opened.check("10.0.0.6", 443)).toBeNull();
    expect(opened.check("::1", 443)).toBeNull();
  });

  it("opens a single port when the operator names one", () => {
    const opened = createAddressGuard(["127.0.0.1:2525", "10.0.0.0/8:25", "[::1]:2525", "[fd00::/8]:25"]);
    for (const [address, port] of [
      ["127.0.0.1", 2525],
      ["10.9.8.7", 25],
      ["::1", 2525],
      ["fd00::5", 25],
    ] as const) {
      expect(opened.check(address, port)).toMatchObject({ allowed: true });
      expect(opened.check(address, 5432)).toBeNull();
    }
  });

  it("refuses to start with an invalid range", () => {
    expect(() => createAddressGuard(["10.0.0.0/33"])).toThrow(/10\.0\.0\.0\/33/);
  });

  it("drops the private addresses from a mixed DNS answer", async () => {
    const mixed = createAddressGuard([], () => Promise.resolve(["10.0.0.1", "8.8.8.8", "::1"]));
    expect(await mixed.resolve("mixed.test", 443)).toEqual([
      { address: "8.8.8.8", family: 4, allowed: false },
    ]);
  });

  it("checks literals without asking the resolver", async () => {
    const silent = createAddressGuard([], () => Promise.reject(new Error("asked")));
    expect(await silent.resolve("[::1]", 443)).toEqual([]);
    expect(await silent.resolve("8.8.4.4", 443)).toHaveLength(1);
  });

  it("finds localhost by the system's own resolver", async () => {
    const opened = createAddressGuard(["127.0.0.0/8", "::1/128"]);
    expect((await opened.resolve("localhost", 443)).length).toBeGreaterThan(0);
  });
});
