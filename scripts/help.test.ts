import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./lib/paths.ts";

const { scripts } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};

/** Runs `npm run <name> -- …` as package.json has it, without an installation: nothing may be opened before the words are right. */
function command(name: string, args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const [, ...parts] = (scripts[name] ?? "").split(" ");
  const env = {
    ...process.env,
    DATA_DIR: path.join(tmpdir(), "tidings-none"),
    DATABASE_URL: "postgres://nobody@127.0.0.1:1/none",
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [...parts, ...args], { cwd: root, env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr });
    });
  });
}

/** Every command of an operator; what it says to no words (undefined: it needs none) and to wrong ones. */
const commands: Record<string, { none?: string; wrong: [string[], string][] }> = {
  tenant: {
    none: "Say what to do: create, list, link, set-up.",
    wrong: [
      [["make"], "There is no command make. There are create, list, link, set-up."],
      [["link", "acme"], "The member's e-mail address is missing."],
      [["list", "all"], "all is one word too many."],
    ],
  },
  channels: {
    none: "Say what to do: list, add,",
    wrong: [
      [["lease"], "There is no command lease."],
      [["give"], "The channel's name is missing."],
      [["give", "Tidings SMS"], "The organisation's short name is missing."],
      [["give", "Tidings SMS", "acme", "+4930123456"], "+4930123456 is one word too many."],
    ],
  },
  "import-from": {
    none: "Say what to do: novu, twilio.",
    wrong: [
      [["sendgrid"], "There is no command sendgrid. There are novu, twilio."],
      [["novu", "all"], "all is one word too many."],
      [["novu", "--types", "nowhere.json"], "There is no file nowhere.json."],
    ],
  },
  fees: {
    none: "The organisation's short name is missing.",
    wrong: [[["acme", "--sms"], "Unknown option '--sms'"]],
  },
  quotas: {
    none: "The organisation's short name is missing.",
    wrong: [[["--day", "acme"], "Unknown option '--day'"]],
  },
  "rotate-keys": {
    wrong: [
      [["now"], "now is one word too many."],
      [["--all"], "Unknown option '--all'"],
    ],
  },
  operator: {
    none: "Say what to do: create, list, link, remove, reset-second-factor.",
    wrong: [
      [["add"], "There is no command add."],
      [["create"], "The operator's e-mail address is missing."],
    ],
  },
  migrate: {
    wrong: [
      [["--login"], "Unknown option '--login'"],
      [["now"], "now is one word too many."],
    ],
  },
  "check:distributable": { wrong: [[["all"], "all is one word too many."]] },
  backup: {
    wrong: [
      [["a", "b"], "b is one word too many."],
      [["--all"], "Unknown option '--all'"],
    ],
  },
  restore: {
    none: "The backup's folder is missing.",
    wrong: [[["nowhere", "--force"], "Unknown option '--force'"]],
  },
  hold: {
    none: "Say what to do: status, begin, release.",
    wrong: [
      [["stop"], "There is no command stop."],
      [["begin"], "The reason is missing."],
    ],
  },
  "verify-audit": {
    wrong: [
      [["--key"], "'--key <value>' argument missing"],
      [["nowhere.jsonl"], "There is no file nowhere.jsonl."],
    ],
  },
  recompute: {
    none: "The day is missing.",
    wrong: [[["2026-11-20", "--force"], "Unknown option '--force'"]],
  },
  templates: {
    none: "Say what to do: pull, push.",
    wrong: [
      [["fetch"], "There is no command fetch. There are pull, push."],
      [["pull", "a", "b"], "b is one word too many."],
    ],
  },
  "evaluate:moderation": {
    wrong: [
      [["--all"], "Unknown option '--all'"],
      [["de"], "de is one word too many."],
    ],
  },
};

describe.each(Object.entries(commands))("npm run %s", { timeout: 120_000 }, (name, { none, wrong }) => {
  it("explains itself with --help and -h, and ends with 0", async () => {
    const [long, short] = await Promise.all([command(name, ["--help"]), command(name, ["-h"])]);
    expect(long).toMatchObject({ code: 0, stderr: "" });
    expect(long.stdout).toMatch(new RegExp(`^Usage:\n  npm run ${name}\\b`));
    // What the usage does not say is in a page that exists.
    const page = long.stdout.match(/docs\/[a-z/-]+\.md/g)?.at(-1);
    expect(readFileSync(path.join(root, page ?? "none"), "utf8")).toContain(`npm run ${name}`);
    expect(short).toEqual(long);
  });

  it("ends wrong input with an error that says what is wrong, and how to use it", async () => {
    const all: [string[], string][] = [
      ...wrong,
      ...(none === undefined ? [] : [[[], none] as [string[], string]]),
    ];
    for (const [args, problem] of all) {
      const { code, stdout, stderr } = await command(name, args);
      expect(code, args.join(" ")).not.toBe(0);
      expect(stdout, args.join(" ")).toBe("");
      expect(stderr, args.join(" ")).toContain(problem);
      if (!problem.includes("no file")) expect(stderr, args.join(" ")).toContain("Usage:");
    }
  });
});

it(
  "npm run channels -- give says what it needs, with an example, on --help and when something is missing",
  { timeout: 120_000 },
  async () => {
    const [help, missing] = await Promise.all([
      command("channels", ["give", "--help"]),
      command("channels", ["give", "Tidings SMS"]),
    ]);
    expect(help.code).toBe(0);
    for (const text of [help.stdout, missing.stderr])
      expect(text).toContain('npm run channels -- give "Tidings SMS" acme --sender +4930123456 --rate 20');
    expect(missing.code).toBe(1);
  },
);
