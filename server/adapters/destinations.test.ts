import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { allAdapters } from "./adapters.ts";
import { addressesOf, destinationsDiffer, destinationsOf } from "./destinations.ts";

describe("where a connection's calls go", () => {
  it("is in every setting that names or looks like an address", () => {
    const settings = {
      host: "mail.example.com",
      port: 587,
      security: "tls",
      account: "eu.api.example.com",
      steps: [{ request: { to: "https://example.com/{{ to }}" } }],
      note: "nothing",
      retries: 3,
    };
    expect([...destinationsOf(settings).keys()].sort()).toEqual([
      "/account",
      "/host",
      "/port",
      "/security",
      "/steps/0/request/to",
    ]);
  });

  it("differs exactly when one of them does", () => {
    expect(destinationsDiffer({ host: "a.example", max: 1 }, { host: "a.example", max: 2 })).toBe(false);
    expect(destinationsDiffer({ host: "a.example" }, { host: "b.example" })).toBe(true);
    expect(destinationsDiffer({ host: "a.example" }, {})).toBe(true);
    expect(destinationsDiffer({}, { baseUrl: "https://a.example" })).toBe(true);
    expect(destinationsDiffer({ security: "tls" }, { security: "none" })).toBe(true);
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(destinationsDiffer({ value }, { value: structuredClone(value) })).toBe(false);
      }),
    );
    fc.assert(
      fc.property(fc.webUrl(), fc.webUrl(), (one, two) => {
        expect(destinationsDiffer({ deep: [{ one }] }, { deep: [{ one: two }] })).toBe(one !== two);
      }),
    );
  });

  it("can be looked up before it is called", () => {
    expect(addressesOf({ host: "10.0.0.1", port: 25, security: "none" })).toEqual([
      { pointer: "/host", host: "10.0.0.1", port: 25, tls: false },
    ]);
    expect(addressesOf({ a: { url: "http://[::1]:8080/x" }, b: "https://example.com" })).toEqual([
      { pointer: "/a/url", host: "[::1]", port: 8080, tls: false },
      { pointer: "/b", host: "example.com", port: 443, tls: true },
    ]);
    expect(addressesOf({ host: "a.example", port: 3550, tls: true })).toMatchObject([
      { tls: true, port: 3550 },
    ]);
  });

  it.each(allAdapters())(
    "is found in the settings of $label, wherever they take a host or a URL",
    (adapter) => {
      const fields = new Map<string, { format?: string; pattern?: string }>();
      const walk = (schema: Record<string, unknown>, path: string): void => {
        for (const [name, field] of Object.entries((schema.properties ?? {}) as Record<string, object>)) {
          fields.set(`${path}/${name}`, field);
          walk(field as Record<string, unknown>, `${path}/${name}`);
        }
        for (const one of [...((schema.oneOf ?? schema.anyOf ?? []) as Record<string, unknown>[])])
          walk(one, path);
      };
      walk(z.toJSONSchema(adapter.settingsSchema, { io: "input", unrepresentable: "any" }), "");
      for (const [pointer, field] of fields) {
        const takesAddress = field.format === "uri" || /^(.*\/)?(host|baseUrl|url)$/.test(pointer);
        if (!takesAddress) continue;
        const settings = pointer
          .split("/")
          .slice(1)
          .reduceRight<unknown>((value, name) => ({ [name]: value }), "https://example.com");
        expect([...destinationsOf(settings).keys()], pointer).toEqual([pointer]);
      }
    },
  );
});
