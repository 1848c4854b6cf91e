import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { lookUpTxt } from "../kernel/txt-records.ts";
import { openNameServer } from "../testing/name-server.ts";
import { checkDomain } from "./check-domain.ts";
import type { DomainToCheck } from "./check-domain.ts";

const records = new Map<string, readonly string[] | "fails">();
const server = await openNameServer(records);
afterAll(() => server.close());
let asked = 0;
beforeEach(() => {
  records.clear();
  asked = 0;
});

const key = (modulusLength = 2_048) =>
  `v=DKIM1; k=rsa; p=${generateKeyPairSync("rsa", { modulusLength }).publicKey.export({ type: "spki", format: "der" }).toString("base64")}`;
const check = (target: Partial<DomainToCheck> = {}) =>
  checkDomain({ domain: "shop.example", provider: "microsoft365", ...target }, (name) => {
    asked++;
    return lookUpTxt(name, [server.address]);
  });
const part = async (name: "spf" | "dkim" | "dmarc", target?: Partial<DomainToCheck>) =>
  (await check(target)).found[name];
const microsoft = "spf.protection.outlook.com";

describe("a domain that is set up well", () => {
  it("is good in each part", async () => {
    records.set("shop.example", ["some-verification=1", `v=spf1 include:${microsoft} -all`]);
    records.set(microsoft, ["v=spf1 ip4:192.0.2.0/24 -all"]);
    records.set("selector2._domainkey.shop.example", [key()]);
    records.set("_dmarc.shop.example", ["v=DMARC1; p=reject; rua=mailto:d@shop.example; adkim=s"]);
    const { found, problem } = await check();
    expect(problem).toBeNull();
    expect(found.spf).toMatchObject({ state: "good", fix: null });
    expect(found.dkim).toMatchObject({ state: "good", name: "selector2._domainkey.shop.example" });
    expect(found.dkim?.summary).toContain("2048 bits");
    expect(found.dmarc).toMatchObject({
      state: "good",
      summary: "The policy is reject. Alignment is strict for DKIM and relaxed for SPF.",
    });
  });
});

describe("SPF", () => {
  it("that is missing is said with the record to add", async () => {
    expect(await part("spf")).toMatchObject({
      state: "bad",
      record: null,
      fix: { name: "shop.example", type: "TXT", value: `v=spf1 include:${microsoft} ~all` },
    });
  });
  it("without the provider is said with the whole record as it should be", async () => {
    records.set("shop.example", ["v=spf1 ip4:192.0.2.1 mx -all"]);
    expect(await part("spf")).toMatchObject({
      state: "bad",
      fix: { value: `v=spf1 ip4:192.0.2.1 mx include:${microsoft} -all` },
    });
  });
  it("finds the provider in what is included and in redirects", async () => {
    records.set("shop.example", ["v=spf1 redirect=_spf.shop.example"]);
    records.set("_spf.shop.example", [`v=spf1 include:${microsoft} -all`]);
    records.set(microsoft, ["v=spf1 -all"]);
    expect(await part("spf")).toMatchObject({ state: "good" });
  });
  it("twice counts for nothing", async () => {
    records.set("shop.example", ["v=spf1 -all", `v=spf1 include:${microsoft} -all`]);
    expect((await part("spf"))?.summary).toContain("2 SPF records");
  });
  it("of more than ten look-ups is wrong, and is not followed without end", async () => {
    records.set("shop.example", [
      `v=spf1 ${Array.from({ length: 11 }, (_, i) => `include:n${String(i)}.example`).join(" ")} -all`,
    ]);
    for (let i = 0; i < 11; i++) records.set(`n${String(i)}.example`, ["v=spf1 -all"]);
    expect((await part("spf"))?.summary).toContain("more than 10 look-ups");
    records.set("shop.example", ["v=spf1 include:shop.example -all"]);
    asked = 0;
    expect((await part("spf"))?.summary).toContain("more than 10 look-ups");
    expect(asked).toBeLessThan(10);
  });
  it("that includes what is not there is wrong", async () => {
    records.set("shop.example", [`v=spf1 include:gone.example include:${microsoft} -all`]);
    expect((await part("spf"))?.summary).toContain("gone.example, which has no SPF record");
  });
  it("that lets everybody send is a warning", async () => {
    records.set("shop.example", [`v=spf1 include:${microsoft} +all`]);
    records.set(microsoft, ["v=spf1 -all"]);
    expect(await part("spf")).toMatchObject({ state: "warning" });
  });
  it("is looked for where the mails of the provider come from", async () => {
    records.set("send.shop.example", ["v=spf1 include:amazonses.com ~all"]);
    records.set("amazonses.com", ["v=spf1 -all"]);
    expect(await part("spf", { provider: "resend" })).toMatchObject({
      state: "good",
      name: "send.shop.example",
    });
    expect(await part("spf", { provider: "ses" })).toMatchObject({ state: "unknown", name: null });
    records.set("bounces.shop.example", ["v=spf1 ip4:192.0.2.1 -all"]);
    expect(await part("spf", { provider: "smtp", bounceDomain: "bounces.shop.example" })).toMatchObject({
      state: "unknown",
      name: "bounces.shop.example",
    });
    records.set("bounces.other.example", ["v=spf1 ip4:192.0.2.1 -all"]);
    expect(await part("spf", { provider: "smtp", bounceDomain: "bounces.other.example" })).toMatchObject({
      state: "warning",
    });
  });
});

describe("DKIM", () => {
  it.each([
    ["missing", undefined, "There is no key"],
    ["withdrawn", "v=DKIM1; p=", "withdrawn"],
    ["too short", key(512), "512 bits"],
    ["broken", "v=DKIM1; p=AAAA", "cannot be read"],
  ])("a key that is %s", async (_, record, text) => {
    if (record !== undefined) records.set("selector1._domainkey.shop.example", [record]);
    const found = await part("dkim");
    expect(found).toMatchObject({ state: "bad" });
    expect(found?.summary).toContain(text);
  });
  it("says plainly when the selector is not known", async () => {
    const found = await part("dkim", { provider: "ses" });
    expect(found).toMatchObject({ state: "unknown", name: null });
    expect(found?.summary).toContain("We do not know the selector");
  });
  it("takes the selector from the connection's settings, and sees that another domain does not align", async () => {
    records.set("k1._domainkey.shop.example", [key()]);
    records.set("k1._domainkey.other.example", [key()]);
    const signed = (domain: string) => part("dkim", { provider: "smtp", dkim: { domain, selector: "k1" } });
    expect(await signed("shop.example")).toMatchObject({ state: "good" });
    expect(await signed("other.example")).toMatchObject({ state: "warning" });
  });
});

describe("DMARC", () => {
  it("that is missing is said with a record to add", async () => {
    expect(await part("dmarc")).toMatchObject({
      state: "bad",
      fix: { name: "_dmarc.shop.example", value: "v=DMARC1; p=none; rua=mailto:dmarc@shop.example" },
    });
  });
  it("with p=none is a warning with a stricter record", async () => {
    records.set("_dmarc.shop.example", ["v=DMARC1; p=none; sp=none"]);
    expect(await part("dmarc")).toMatchObject({
      state: "warning",
      fix: { value: "v=DMARC1; p=quarantine; sp=none" },
    });
  });
  it("of a parent counts, with its policy for what is below", async () => {
    records.set("_dmarc.shop.example", ["v=DMARC1; p=reject; sp=none"]);
    expect(await part("dmarc", { domain: "mail.shop.example" })).toMatchObject({
      state: "warning",
      name: "_dmarc.shop.example",
    });
  });
  it("twice or without a policy is wrong", async () => {
    records.set("_dmarc.shop.example", ["v=DMARC1; p=reject", "v=DMARC1; p=none"]);
    expect((await part("dmarc"))?.summary).toContain("2 DMARC records");
    records.set("_dmarc.shop.example", ["v=DMARC1; p=maybe"]);
    expect((await part("dmarc"))?.summary).toContain("no policy");
  });
});

it("a fault of DNS is no missing record", async () => {
  records.set("shop.example", "fails");
  const { found, problem } = await check();
  expect(found.spf).toBeNull();
  expect(found.dmarc).toMatchObject({ state: "bad" });
  expect(problem).toBe("SPF could not be checked: no name server answered.");
});

it("a very long record is shown cut", async () => {
  records.set("_dmarc.shop.example", [`v=DMARC1; p=reject; rua=mailto:${"a".repeat(3_000)}@shop.example`]);
  expect((await part("dmarc"))?.record?.length).toBeLessThanOrEqual(1_001);
});
