/** Blocks that are not run: held to the product's own parsers and schemas. Each answers with what is wrong. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { parseDocument } from "yaml";
import { z } from "zod";
import { readPriceList } from "../../server/connections/read-price-list.ts";
import { webhookEventDocument } from "../../server/rest/openapi-webhooks.ts";
import { checkContent } from "../../server/template-language/check-content.ts";
import { outsideVariables, parseText } from "../../server/template-language/liquid-engine.ts";
import { root } from "../lib/paths.ts";
import type { Block, Treatment } from "./page.ts";

function json(code: string): { value: unknown } | { problem: string } {
  try {
    return { value: JSON.parse(code) as unknown };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function webhook(code: string, kind: string): string[] {
  const parsed = json(code);
  if ("problem" in parsed) return [parsed.problem];
  const event = /^data of (\S+)$/.exec(kind)?.[1];
  if (event === undefined && kind !== "whole")
    return [`a webhook is "whole" or "data of <event>", not "${kind}"`];
  const body =
    event === undefined
      ? parsed.value
      : {
          event,
          timestamp: new Date().toISOString(),
          data: { application: "webshop", environment: "production", ...(parsed.value as object) },
          signature: "sha256=",
        };
  const result = webhookEventDocument.safeParse(body);
  return result.success ? [] : [z.prettifyError(result.error)];
}

async function liquid(code: string): Promise<string[]> {
  let names: Set<string>;
  try {
    names = new Set(outsideVariables(parseText(code, "text")).map(({ name }) => name));
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
  const { problems } = await checkContent({
    channel: "sms",
    subject: null,
    body: code,
    metadata: {},
    variables: [...names].map((name) => ({
      name,
      type: "string",
      required: true,
      example: "https://shop.example/a",
    })),
    compiledBody: null,
  });
  return problems.map(({ pointer, detail }) => `${pointer}: ${detail}`);
}

/** Type-checks a block as the file that its first line names, or as one of the root, with declarations before it. */
function types(code: string, declarations: string): string[] {
  const name = /^\/\/ (\S+\.ts)$/m.exec(code)?.[1] ?? "example.ts";
  const file = path.join(root, name);
  const text = `${declarations}\n${code}`;
  const { config } = ts.readConfigFile(path.join(root, "tsconfig.json"), (at) =>
    readFileSync(at, "utf8"),
  ) as {
    config: unknown;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const host = ts.createCompilerHost(options);
  const isIt = (at: string) => path.resolve(at) === file;
  const program = ts.createProgram(
    [file],
    { ...options, noEmit: true, incremental: false },
    {
      ...host,
      fileExists: (at) => isIt(at) || host.fileExists(at),
      readFile: (at) => (isIt(at) ? text : host.readFile(at)),
      getSourceFile: (at, ...rest) =>
        isIt(at) ? ts.createSourceFile(at, text, ts.ScriptTarget.Latest) : host.getSourceFile(at, ...rest),
    },
  );
  const source = program.getSourceFile(file);
  return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
    ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"),
  );
}

/** A test that reads the page: its file names the page. */
function elsewhere(test: string, page: string): string[] {
  const file = path.join(root, test);
  if (!test.endsWith(".test.ts") || !existsSync(file)) return [`there is no test ${test}`];
  return readFileSync(file, "utf8").includes(page) ? [] : [`${test} does not name ${page}`];
}

export async function checkBlock(
  block: Block,
  how: (Treatment & { kind: "check" })["how"],
  page: string,
): Promise<string[]> {
  const note = (name: string) => block.notes.get(name) ?? "";
  switch (how) {
    case "json": {
      const parsed = json(block.code);
      return "problem" in parsed ? [parsed.problem] : [];
    }
    case "yaml":
      return parseDocument(block.code).errors.map(({ message }) => message);
    case "webhook":
      return webhook(block.code, note("webhook"));
    case "prices": {
      const { entries, errors } = readPriceList(block.code);
      if (errors.length > 0) return errors.map(({ line, detail }) => `line ${String(line)}: ${detail}`);
      return entries.length > 0 ? [] : ["no row"];
    }
    case "liquid":
      return liquid(block.code);
    case "types":
      return types(block.code, note("types"));
    case "elsewhere":
      return elsewhere(note("checked by"), page);
  }
}
