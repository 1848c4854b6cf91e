import { expect, test } from "vitest";
import type { Ctx, Grant } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import { authorize, authorizeSomewhere, may, scopeWhere, visibleScopes } from "./authorize.ts";
import { builtInRoles, permissions } from "./permissions.ts";
import { Conditions, scopeSql } from "./conditions.ts";

const nowhere = { unitId: null, applicationId: null, environmentId: null };

function actor(...grants: (Partial<Omit<Grant, "permissions">> & { permissions: string[] })[]): Ctx {
  return {
    actor: { type: "user", id: "u", name: "U", email: "u@example.com" },
    grants: grants.map((grant) => ({ ...nowhere, ...grant, permissions: new Set(grant.permissions) })),
  } as unknown as Ctx;
}

function codeOf(work: () => void): string {
  try {
    work();
    return "allowed";
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
}

const all = permissions.filter(
  (permission) => permission === "api_keys:manage" || permission === "templates:read",
);

test("a role in the whole tenant applies in every unit, application and environment", () => {
  const ctx = actor({ permissions: all });
  expect(codeOf(() => authorize(ctx, "api_keys:manage", {}))).toBe("allowed");
  expect(codeOf(() => authorize(ctx, "api_keys:manage", { unitId: "a", environmentId: "e" }))).toBe(
    "allowed",
  );
});

test("a role in one unit applies only there, and others' things do not exist for it", () => {
  const ctx = actor({ permissions: ["api_keys:manage"], unitId: "a" });
  expect(codeOf(() => authorize(ctx, "api_keys:manage", { unitId: "a" }))).toBe("allowed");
  expect(codeOf(() => authorize(ctx, "api_keys:manage", { unitId: "b" }))).toBe("not_found");
  expect(codeOf(() => authorize(ctx, "api_keys:manage", {}))).toBe("not_found");
  expect(codeOf(() => authorize(ctx, "api_keys:manage", { unitId: null }))).toBe("not_found");
});

test("where an actor sees a thing but may not do this to it, the answer is permission_denied", () => {
  const ctx = actor({ permissions: ["templates:read"], unitId: "a" });
  expect(codeOf(() => authorize(ctx, "api_keys:manage", { unitId: "a" }))).toBe("permission_denied");
  expect(codeOf(() => authorizeSomewhere(ctx, "api_keys:manage"))).toBe("permission_denied");
});

test("permissions of different places do not add up", () => {
  const ctx = actor(
    { permissions: ["templates:read"], unitId: "a" },
    { permissions: ["api_keys:manage"], unitId: "b" },
  );
  expect(codeOf(() => authorize(ctx, "api_keys:manage", { unitId: "a" }))).toBe("permission_denied");
  expect(may(ctx, "api_keys:manage", { unitId: "b" })).toBe(true);
});

test("a key of one environment and application reaches nothing else", () => {
  const ctx = actor({ permissions: all, applicationId: "app", environmentId: "live" });
  const at = { unitId: "a", applicationId: "app", environmentId: "live" };
  expect(codeOf(() => authorize(ctx, "templates:read", at))).toBe("allowed");
  expect(codeOf(() => authorize(ctx, "templates:read", { ...at, environmentId: "test" }))).toBe("not_found");
  expect(codeOf(() => authorize(ctx, "templates:read", { ...at, applicationId: "other" }))).toBe("not_found");
});

test("without a grant nobody may do anything, and the system may do everything", () => {
  const nobody = actor();
  for (const permission of permissions) {
    expect(codeOf(() => authorize(nobody, permission, {}))).toBe("not_found");
    expect(codeOf(() => authorizeSomewhere(nobody, permission))).toBe("permission_denied");
  }
  const system = { actor: { type: "system", id: null, name: "S" }, grants: [] } as unknown as Ctx;
  for (const permission of permissions) expect(may(system, permission, { unitId: "a" })).toBe(true);
});

test("lists are filtered to the scopes in which the permission applies", () => {
  const ctx = actor(
    { permissions: ["templates:read"], unitId: "a" },
    { permissions: ["templates:read"], environmentId: "e" },
    { permissions: ["costs:read"] },
  );
  expect(visibleScopes(ctx, "templates:read")).toEqual([
    { ...nowhere, unitId: "a" },
    { ...nowhere, environmentId: "e" },
  ]);
  expect(visibleScopes(ctx, "costs:read")).toBeNull();
  expect(visibleScopes(ctx, "audit:read")).toEqual([]);
});

test("a list that cannot express a restriction shows nothing under it", () => {
  const scopes = [
    { ...nowhere, unitId: "a" },
    { ...nowhere, environmentId: "e" },
  ];
  expect(scopeWhere(scopes, { unit: "unitId", application: null, environment: null })).toEqual({
    OR: [{ unitId: "a" }],
  });
  expect(scopeWhere([], { unit: "unitId", application: null, environment: null })).toEqual({ OR: [] });
  expect(scopeWhere(null, { unit: null, application: null, environment: null })).toEqual({});
});

test("the SQL form of scopes binds its values and is false for nobody", () => {
  const columns = { unit: "u", application: "a", environment: "e" };
  const values: unknown[] = ["tenant"];
  const scopes = [
    { ...nowhere, unitId: "1", environmentId: "2" },
    { ...nowhere, applicationId: "3" },
  ];
  expect(scopeSql(scopes, columns, values)).toBe("((u = $2 AND e = $3) OR (a = $4))");
  expect(values).toEqual(["tenant", "1", "2", "3"]);
  expect(scopeSql([], columns, values)).toBe("false");
  expect(scopeSql(null, columns, values)).toBe("true");
});

test("conditions bind their values, and are left out without one", () => {
  const where = new Conditions(["tenant"], "n.tenant_id = $1")
    .given("n.name = ?", "Ann")
    .given("n.state = ?", undefined)
    .given("n.id < ?", null)
    .given("n.text <> ?", "")
    .within([{ ...nowhere, unitId: "1" }], "n");
  expect(where.sql).toBe("n.tenant_id = $1 AND n.name = $2 AND n.text <> $3 AND ((n.unit_id = $4))");
  expect(where.bind(50)).toBe("$5");
  expect(where.values).toEqual(["tenant", "Ann", "", "1", 50]);
});

test("built-in roles hold known permissions only, and only owners hold all", () => {
  for (const [key, role] of Object.entries(builtInRoles)) {
    expect(permissions).toEqual(expect.arrayContaining([...role.permissions]));
    expect(new Set(role.permissions).size).toBe(role.permissions.length);
    expect(role.permissions.length === permissions.length).toBe(key === "owner");
  }
});
