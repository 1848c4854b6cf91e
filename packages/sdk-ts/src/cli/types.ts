import type { Tidings } from "../index.ts";
import { UsageError } from "./usage-error.ts";

interface Variable {
  name: string;
  type: string;
  required: boolean;
  values?: string[];
}
/** Of a channel: each variable's types in all variants, and whether one of them requires it. */
type Variables = Map<string, { types: Set<string>; required: boolean }>;
type Tree = Map<string, Tree | Variables>;

interface Facts {
  notificationType: string;
  notificationSubtype: string;
  variables: Variable[];
}

function typesOf({ type, values }: Variable): string[] {
  switch (type) {
    case "number":
      return ["number", "`${number}`"];
    case "date":
      return ["string", "Date"];
    case "enum":
      return (values ?? []).map((value) => JSON.stringify(value));
    default:
      return ["string"];
  }
}

/** Adds the variables of one variant to those of its channel. */
function merge(into: Variables, variables: readonly Variable[]): void {
  for (const variable of variables) {
    const known = into.get(variable.name) ?? { types: new Set(), required: false };
    for (const type of typesOf(variable)) known.types.add(type);
    known.required ||= variable.required;
    into.set(variable.name, known);
  }
}

/** The variables at a place, made when they are missing. */
function at(tree: Tree, names: readonly string[]): Variables {
  let here: Tree = tree;
  for (const name of names) {
    const next = here.get(name) ?? new Map<string, never>();
    here.set(name, next);
    here = next as Tree;
  }
  return here as unknown as Variables;
}

const byName = <T>(entries: Iterable<[string, T]>): [string, T][] =>
  [...entries].sort(([a], [b]) => (a < b ? -1 : 1));

function writeTree(tree: Tree, depth: number, indent: string): string {
  const deeper = `${indent}  `;
  const lines = byName(tree).map(
    ([name, inner]) =>
      `${deeper}${JSON.stringify(name)}: ${
        depth > 1 ? writeTree(inner as Tree, depth - 1, deeper) : writeVariables(inner as Variables, deeper)
      };\n`,
  );
  return lines.length === 0 ? "{}" : `{\n${lines.join("")}${indent}}`;
}

function writeVariables(variables: Variables, indent: string): string {
  const lines = byName(variables).map(
    ([name, { types, required }]) =>
      `${indent}  ${JSON.stringify(name)}${required ? "" : "?"}: ${[...types].sort().join(" | ")};\n`,
  );
  return lines.length === 0 ? "{}" : `{\n${lines.join("")}${indent}}`;
}

/** The templates of an application that are live in an environment, as the members of `Applications`. */
async function writeApplication(
  tidings: Tidings,
  application: string,
  environment: string | undefined,
): Promise<{ text: string; templates: number }> {
  const types: Tree = new Map();
  const templates: Tree = new Map();
  let count = 0;
  const files = tidings.templates.files({ application, ...(environment ? { environment } : {}) });
  for await (const { path, content } of files) {
    const [name = "", variant = "", file] = path.split("/");
    if (file !== "template.json") continue;
    const [channel = ""] = variant.split(".");
    const { notificationType, notificationSubtype, variables } = JSON.parse(content) as Facts;
    merge(at(types, [notificationType, notificationSubtype, channel]), variables);
    merge(at(templates, [name, channel]), variables);
    count++;
  }
  const text = [
    `    ${JSON.stringify(application)}: {`,
    `      types: ${writeTree(types, 3, "      ")};`,
    `      templates: ${writeTree(templates, 2, "      ")};`,
    "    };",
  ].join("\n");
  return { text, templates: count };
}

/**
 * A file that teaches `send` and `messages.create` the names of live templates and their variables.
 * @param applications all that have templates, when empty
 * @param environment the environment whose live templates count; the latest versions without it
 */
export async function writeTypes(
  tidings: Tidings,
  applications: readonly string[],
  environment: string | undefined,
): Promise<{ text: string; templates: number; applications: string[] }> {
  const names = new Set(applications);
  if (names.size === 0) for await (const { application } of tidings.templates.list()) names.add(application);
  if (names.size === 0) throw new UsageError("There are no templates yet. Create one first.", 1);
  const sorted = [...names].sort();
  const parts: { text: string; templates: number }[] = [];
  for (const name of sorted) parts.push(await writeApplication(tidings, name, environment));
  const text = `/* Written by \`tidings types\`: the templates${
    environment ? ` that are live in ${environment}` : ""
  }. Run it again when they change. */
import "tidings";

declare module "tidings" {
  interface Applications {
${parts.map((part) => part.text).join("\n")}
  }
}
`;
  return { text, templates: parts.reduce((sum, part) => sum + part.templates, 0), applications: sorted };
}
