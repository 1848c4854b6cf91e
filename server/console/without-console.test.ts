import { expect, test } from "vitest";
import { ruleOf } from "../front-door/path-rules.ts";
import { handleConsole } from "../trpc/console-handle.ts";
import { hasConsole } from "../trpc/console-context.ts";

test("without a database login there is no console: its paths are like any unknown one", async () => {
  expect(hasConsole()).toBe(false);
  for (const path of ["sign-in", "sign-out", "set-password", "trpc/organisations.list"]) {
    for (const method of ["GET", "POST"]) {
      const request = new Request(`http://localhost:3000/console/api/${path}`, { method });
      expect(await handleConsole(request), path).toBeUndefined();
    }
    expect(ruleOf(["console", "api", ...path.split("/")])).toEqual(ruleOf(["anything"]));
  }
});
