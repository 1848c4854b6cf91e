/** Runs one block of a page in its reader's session. Answers with what is wrong. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import type { Block, Treatment } from "./page.ts";
import type { Ended, Session } from "./session.ts";

const mostOutput = 4_000;
const heading = (what: string, output: string) =>
  `${what}\n${output.trimEnd().slice(-mostOutput).replaceAll(/^/gm, "      ")}`;

/** @param expected the note `answers`: the statuses of all calls, or none: each is 2xx */
function problemsOf(
  ended: Ended,
  expected: { answers?: string | undefined; exits?: string | undefined } = {},
): string[] {
  const problems: string[] = [];
  const exits = Number(expected.exits ?? 0);
  if (ended.code !== exits) problems.push(`ended with ${String(ended.code)} instead of ${String(exits)}`);
  const wanted = expected.answers?.split(",").map(Number);
  const good = wanted
    ? wanted.length === ended.statuses.length && wanted.every((status, at) => status === ended.statuses[at])
    : ended.statuses.every((status) => status >= 200 && status < 300);
  if (!good) {
    problems.push(
      `was answered ${ended.statuses.slice(-10).join(", ")} instead of ${expected.answers ?? "2xx"}`,
    );
  }
  return problems.length === 0 ? [] : [heading(problems.join("; "), ended.output)];
}

/** The command lines of a block, those that go on with a backslash joined, without comments. */
const linesOf = (code: string): string[] =>
  code
    .replaceAll("\\\n", " ")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));

/** What a command prints as NAME=value, its reader sets. */
function takePrinted(session: Session, output: string): void {
  for (const [, name = "", value = ""] of output.matchAll(/^([A-Z][A-Z_]+)=(\S+)$/gm))
    session.set(name, value);
}

async function runServices(block: Block, session: Session): Promise<string[]> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "tidings-documentation-service-"));
  try {
    for (const line of linesOf(block.code)) {
      const service = await session.start(line, block.notes.get("starts") ?? "", {
        DATA_DIR: dataDir,
        PORT: await session.get("SPARE_PORT"),
      });
      await service.stop();
    }
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function runSql(block: Block, session: Session): Promise<string[]> {
  const client = new pg.Client({ connectionString: await session.get("DATABASE_URL") });
  await client.connect();
  try {
    await client.query(block.code);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  } finally {
    await client.end();
  }
}

/** Sends a block of JSON as the note says: `POST /v1/things`, and around it, where it is a part, what has $BLOCK in it. */
function request(block: Block, session: Session): Promise<Ended> {
  const [, method = "", where = "", around = "$BLOCK"] =
    /^([A-Z]+) (\S+)(?: ([^]+))?$/.exec(block.notes.get("body of") ?? "") ?? [];
  session.write(
    "body.json",
    around.replace("$BLOCK", () => block.code),
  );
  return session.run(
    `curl -X ${method} "$TIDINGS_URL${where}" -H "Authorization: Bearer $TIDINGS_API_KEY" -H "Content-Type: application/json" --data-binary @body.json`,
  );
}

async function runItself(
  block: Block,
  how: (Treatment & { kind: "run" })["how"],
  session: Session,
): Promise<string[]> {
  const expected = { answers: block.notes.get("answers"), exits: block.notes.get("exits") };
  switch (how) {
    case "shell": {
      const ended = await session.run(block.code);
      takePrinted(session, ended.output);
      return problemsOf(ended, expected);
    }
    case "node":
      session.write("example.mjs", block.code);
      return problemsOf(await session.run("node example.mjs"), expected);
    case "python":
      session.write("example.py", block.code);
      return problemsOf(await session.run("python3 example.py"), expected);
    case "sql":
      return runSql(block, session);
    case "request":
      return problemsOf(await request(block, session), expected);
    case "file":
      session.write(block.notes.get("file") ?? "", block.code);
      return [];
    case "service":
      return runServices(block, session);
  }
}

export async function runBlock(
  block: Block,
  how: (Treatment & { kind: "run" })["how"],
  session: Session,
): Promise<string[]> {
  for (const when of ["before", "it", "after"] as const) {
    if (when === "it") {
      const problems = await runItself(block, how, session);
      if (problems.length > 0) return problems;
      continue;
    }
    const commands = block.notes.get(when);
    if (commands === undefined) continue;
    const ended = await session.run(commands);
    takePrinted(session, ended.output);
    const problems = problemsOf(ended);
    if (problems.length > 0) return problems.map((problem) => `what the note "${when}" says ${problem}`);
  }
  return [];
}
