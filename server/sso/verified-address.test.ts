import { expect, test } from "vitest";
import { roleValues } from "./role-values.ts";
import { domainsToProve, nameOf, verifiedAddress } from "./verified-address.ts";

const directory = "6f1f0cc5-3c3e-4e0e-9d35-0a8cf5b3f001";
const entra = `https://login.microsoftonline.com/${directory}/v2.0`;

test.each([
  ["an address that somebody wrote into their profile", { email: "ceo@acme.example" }, null],
  [
    "the same, said to be verified as others say it",
    { email: "ceo@acme.example", email_verified: true },
    null,
  ],
  [
    "an address whose domain's owner was verified",
    { email: "Ada@Acme.example", xms_edov: true },
    "ada@acme.example",
  ],
  ["the same, as Entra also writes it", { email: "ada@acme.example", xms_edov: "1" }, "ada@acme.example"],
  [
    "not verified, with the directory's own name",
    { email: "x@y.example", xms_edov: false, upn: "ada@acme.example" },
    "ada@acme.example",
  ],
  ["a name that people can choose", { preferred_username: "ceo@acme.example" }, null],
  [
    "a guest's name",
    { upn: "ceo_acme.example#EXT#@other.onmicrosoft.com" },
    "ceo_acme.example#ext#@other.onmicrosoft.com",
  ],
])("Entra: %s", (_, claims, expected) => {
  expect(verifiedAddress("entra", entra, { ...claims, tid: directory })).toBe(expected);
});

test("Entra: of another directory than the issuer's nothing counts", () => {
  const claims = { email: "ada@acme.example", xms_edov: true };
  expect(verifiedAddress("entra", entra, { ...claims, tid: "another" })).toBeNull();
  expect(verifiedAddress("entra", entra, claims)).toBeNull();
});

test("Google: only accounts of a Workspace count, and the Workspace has to be the organisation's", () => {
  const issuer = "https://accounts.google.com";
  const claims = { email: "ada@acme.example", email_verified: true };
  expect(verifiedAddress("google", issuer, claims)).toBeNull();
  const workspace = { ...claims, hd: "other.example" };
  expect(verifiedAddress("google", issuer, workspace)).toBe("ada@acme.example");
  expect(domainsToProve("google", "ada@acme.example", workspace)).toEqual(["acme.example", "other.example"]);
  expect(verifiedAddress("google", issuer, { ...workspace, email_verified: "true" })).toBeNull();
});

test.each([
  "mi\u212A@acme.example",
  "a b@acme.example",
  "@acme.example",
  "ada@",
  "ada@a@acme.example",
  "ada@acme.example\n",
  "ada",
  "",
])("%j is no address", (email) => {
  const found = verifiedAddress("oidc", "https://id.example", { email, email_verified: true });
  expect(found === null || found === "ada@acme.example").toBe(true);
});

test("a name is bounded and has no control characters, whatever the provider says", () => {
  expect(nameOf({ name: "Ada\u0000 Lovelace\n" }, "a@b.example")).toBe("Ada Lovelace");
  expect(nameOf({ given_name: "Ada", family_name: "L" }, "a@b.example")).toBe("Ada L");
  expect(nameOf({ name: { evil: true } }, "a@b.example")).toBe("a");
  expect(Array.from(nameOf({ name: "😀".repeat(500) }, "a@b.example"))).toHaveLength(120);
});

test("values of a claim are texts of a list or one text, also along a path; a claim that was left out is told", () => {
  expect([...roleValues({ groups: ["a", 1, null, "b"] }, "groups")!]).toEqual(["a", "b"]);
  expect([...roleValues({ groups: "a" }, "groups")!]).toEqual(["a"]);
  expect([...roleValues({ "https://x.example/roles": ["a"] }, "https://x.example/roles")!]).toEqual(["a"]);
  expect([...roleValues({ realm_access: { roles: ["a"] } }, "realm_access.roles")!]).toEqual(["a"]);
  expect([...roleValues({}, "__proto__.constructor")!]).toEqual([]);
  expect([...roleValues({}, "groups")!]).toEqual([]);
  expect(roleValues({ _claim_names: { groups: "src1" } }, "groups")).toBeUndefined();
  expect(
    roleValues({ groups: Array.from({ length: 10_000 }, (_, index) => String(index)) }, "groups")!.size,
  ).toBe(2_000);
});
