import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** Workspace sets up what tenancy reads. */
const sameDomain: Record<string, string> = { workspace: "tenancy" };

export type Tables = {
  /** Table → the domain that it belongs to: the name of its file in prisma/schema. */
  owners: Map<string, string>;
  /** Prisma's name of a table's delegate (`notificationType`) → table. */
  delegates: Map<string, string>;
};

/** What prisma/schema says of tables: the file in which one is described is named after the domain that it belongs to. */
export function readTables(schemaFolder: string): Tables {
  const owners = new Map<string, string>();
  const delegates = new Map<string, string>();
  for (const file of readdirSync(schemaFolder).filter((name) => name.endsWith(".prisma"))) {
    const text = readFileSync(path.join(schemaFolder, file), "utf8");
    for (const [, model = "", body = ""] of text.matchAll(/^model (\w+) \{(.*?)^\}/gms)) {
      const table = /@@map\("(\w+)"\)/.exec(body)?.[1] ?? model;
      owners.set(table, path.basename(file, ".prisma"));
      delegates.set(model.charAt(0).toLowerCase() + model.slice(1), table);
    }
  }
  return { owners, delegates };
}

/** The domain of a source file: its folder in server/, or the folder at the root. */
export function domainOf(file: string): string {
  const [first = "", second = ""] = file.split("/");
  const folder = first === "server" ? second : first;
  return sameDomain[folder] ?? folder;
}

const inSql =
  /\b(?:FROM|JOIN|INTO|UPDATE|USING|SETOF)\s+(?:ONLY\s+)?("?\w+"?(?:\s+(?:AS\s+)?\w+)?(?:\s*,\s*"?\w+"?(?:\s+(?:AS\s+)?\w+)?)*)/g;
const inPrisma = /\.(\w+)\s*\.\s*(?:find\w+|create\w*|update\w*|upsert|delete\w*|count|aggregate|groupBy)\(/g;

/** The SQL files of a folder of prisma/, each with the domain that its first comment says it belongs to. */
export function readOwnedSql(folder: string): { file: string; owner: string; text: string }[] {
  return readdirSync(folder).map((file) => {
    const text = readFileSync(path.join(folder, file), "utf8");
    const owner = /^--.*\bOwner: ([\w-]+)\.$/m.exec(text)?.[1] ?? "nobody";
    return { file: path.basename(file, ".sql"), owner, text: text.replaceAll(/--.*/g, "") };
  });
}

/** The tables that a text names in SQL or through Prisma and that belong to another domain, sorted. */
export function foreignTables(tables: Tables, domain: string, text: string): string[] {
  const named = [
    ...[...text.matchAll(inSql)].flatMap(([, list = ""]) =>
      list.split(",").map((item) => /\w+/.exec(item)?.[0] ?? ""),
    ),
    ...[...text.matchAll(inPrisma)].map(([, delegate = ""]) => tables.delegates.get(delegate) ?? ""),
  ];
  const foreign = named.filter((table) => (tables.owners.get(table) ?? domain) !== domain);
  return [...new Set(foreign)].sort();
}
