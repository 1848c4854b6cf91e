import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./lib/paths.ts";
import { run } from "./lib/run.ts";

/* The programs themselves run in `npm run test:docs`: docs/examples.md has the command. */

const read = (file: string) => readFileSync(path.join(root, file), "utf8");
const names = globSync("examples/*/main.ts", { cwd: root })
  .map((file) => path.basename(path.dirname(file)))
  .sort();

/** Nothing is there: no service, no mailbox. */
const nowhere = {
  TIDINGS_URL: "http://127.0.0.1:1",
  TIDINGS_TENANT_ID: "01944ac2-1c00-7000-8000-000000000001",
  TIDINGS_API_KEY: "tdg_sbx_none",
  TIDINGS_PRODUCTION_KEY: "tdg_live_none",
  TIDINGS_MAILBOX: "http://127.0.0.1:1/messages",
};

describe("an example", () => {
  it("is listed in the guide, and whatever is listed is there", () => {
    const listed = [...read("docs/examples.md").matchAll(/^\| \[([a-z-]+)\]/gm)].map(([, name]) => name);
    expect(names).toHaveLength(12);
    expect(listed.sort()).toEqual(names);
  });

  it.each(names)(
    "%s says how to run it, fits on two screens, and takes its settings from the environment",
    (name) => {
      expect(existsSync(path.join(root, "examples", name, "README.md"))).toBe(true);
      expect(read(`examples/${name}/README.md`)).toContain(`npm run examples -- ${name}`);
      const program = read(`examples/${name}/main.ts`);
      expect(program.split("\n").length).toBeLessThanOrEqual(140);
      expect(program).toContain('from "tidings"');
      expect(program).not.toMatch(/tdg_|localhost|quickstart\.json/);
      // The client waits for one message; only what it can't wait for has a loop.
      expect(program).not.toContain("messages.get(id)");
      // What it prints is not all that it does: it holds the outcome to what its page promises.
      expect(program.match(/\bassert\b[.(]/g)?.length ?? 0).toBeGreaterThan(2);
    },
  );

  it("that does not reach its outcome ends the command with 1, and the table says why", async () => {
    const { code, output } = await run(process.execPath, ["scripts/examples.ts", "delivery-updates"], {
      quiet: true,
      env: nowhere,
    });
    expect(code).toBe(1);
    expect(output).toMatch(/✘ delivery-updates .*cannot be reached/);
    expect(output).toContain("0 of 1 examples passed");
  });
});
