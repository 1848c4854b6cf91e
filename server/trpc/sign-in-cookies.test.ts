import { expect, it } from "vitest";
import { keepNamedOrganisation, namedOrganisation } from "./sign-in-cookies.ts";

const leave = async (form: Record<string, string>, action = ["signin", "oidc"], method = "POST") => {
  const request = new Request("http://tidings.test/api/auth/signin/oidc", {
    method,
    ...(method === "POST" ? { body: new URLSearchParams(form) } : {}),
  });
  const header = await keepNamedOrganisation(request, action, "HttpOnly; SameSite=Lax");
  // Later handlers read the body themselves.
  expect(request.bodyUsed).toBe(false);
  return header;
};

it("keeps the organisation that is named on the way to the identity provider, and back again", async () => {
  const header = await leave({ organisation: " Acme ", csrfToken: "x" });
  expect(header).toBe(
    "tidings-sign-in-organisation=acme; Path=/api/auth; Max-Age=900; HttpOnly; SameSite=Lax",
  );
  expect(namedOrganisation(`a=b; ${header?.split(";", 1)[0] ?? ""}; c=d`)).toBe("acme");
});

it("cannot be made to write anything else into the header", async () => {
  const header = await leave({ organisation: "a; Path=/\r\nSet-Cookie: b=c" });
  expect(header).toMatch(/^tidings-sign-in-organisation=[\w%.-]+; Path=\/api\/auth; Max-Age=900; HttpOnly/);
  expect(namedOrganisation(header)).toBe("a; path=/\r\nset-cookie: b=c");
});

it("forgets an earlier organisation when none is named", async () => {
  const forms: Record<string, string>[] = [{}, { organisation: " " }];
  for (const form of forms) {
    expect(await leave(form)).toMatch(/^tidings-sign-in-organisation=; Path=\/api\/auth; Max-Age=0;/);
  }
  expect(namedOrganisation("tidings-sign-in-organisation=")).toBeNull();
  expect(namedOrganisation("tidings-sign-in-organisation=%")).toBeNull();
  expect(namedOrganisation("tidings-organisation=acme")).toBeNull();
});

it("leaves all other requests alone", async () => {
  expect(await leave({ organisation: "acme" }, ["callback", "credentials"])).toBeNull();
  expect(await leave({}, ["signin", "oidc"], "GET")).toBeNull();
});
