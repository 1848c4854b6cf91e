import { providerAdapters } from "./list-adapters.ts";

interface Field {
  type?: unknown;
  title?: string;
  enum?: unknown[];
  default?: unknown;
}
interface Fields {
  properties?: Record<string, Field>;
  required?: string[];
  oneOf?: Fields[];
  anyOf?: Fields[];
}

/** For the API's documentation: the fields of each provider's credentials and settings, in Markdown. */
export function describeFields(): string {
  const lines = providerAdapters()
    .filter(({ name }) => name !== "simulator")
    .map(
      (adapter) =>
        `| \`${adapter.name}\` | ${listFields(adapter.credentials)} | ${listFields(adapter.settings)} |`,
    );
  return ["| provider | credentials | settings |", "|---|---|---|", ...lines].join("\n");
}

function listFields(schema: Fields): string {
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives) return alternatives.map(listFields).join(", or ");
  const names = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const optional = schema.required?.includes(name) === true ? "" : "?";
    const values = field.enum ? ` (${field.enum.map(String).join(", ")})` : "";
    return `\`${name}\`${optional}${values}`;
  });
  return names.length === 0 ? "none" : names.join(", ");
}
