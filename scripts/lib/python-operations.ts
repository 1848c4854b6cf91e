import { operations } from "../../packages/sdk-ts/src/operations.ts";
import type { Operation } from "../../packages/sdk-ts/src/operations.ts";
import { contracts } from "../../server/rest/contracts.ts";

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const pascal = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

function method(name: string, { method: verb, path, takes }: Operation): string {
  const contract = contracts.find((each) => each.method === verb && each.path === path);
  if (!contract) throw new Error(`No contract serves ${verb} ${path}`);
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = ""]) => snake(parameter));
  const where = [`"${path}"`, ...parameters].join(", ");
  const given = parameters.map((parameter) => `${parameter}: Union[str, int]`);
  const nothing = contract.answer.schema === undefined && contract.answer.file === undefined;
  const text = contract.answer.schema === undefined && contract.answer.file !== undefined;
  const answer = takes === "pages" ? "Paged" : nothing ? "None" : text ? "str" : "Dict[str, Any]";
  const key = verb === "POST" ? ", idempotency_key=idempotency_key" : "";
  const keyParameter = verb === "POST" ? ["*", "idempotency_key: Optional[str] = None"] : [];
  const body = contract.bodyOptional ? "body: Optional[Mapping[str, Any]] = None" : "body: Mapping[str, Any]";
  const [signature, call] = {
    pages: [[...given, "**query: Any"], `self._pages(query, ${where})`],
    query: [[...given, "**query: Any"], `self._call("${verb}", ${where}, query=query)`],
    body: [[...given, body, ...keyParameter], `self._call("${verb}", ${where}, body=body${key})`],
    nothing: [[...given, ...keyParameter], `self._call("${verb}", ${where}${key})`],
  }[takes] as [string[], string];
  return [
    `    def ${snake(name)}(${["self", ...signature].join(", ")}) -> ${answer}:`,
    `        """${contract.summary}."""`,
    `        ${nothing ? call : `return ${call}`}`,
  ].join("\n");
}

/** `packages/sdk-python/tidings/_resources.py`: the methods of the Python client, from the table of the TypeScript client. */
export function pythonOperations(): string {
  const table = operations as unknown as Record<string, Record<string, Operation>>;
  const classes = Object.entries(table).map(
    ([name, entries]) =>
      `class ${pascal(name)}(Resource):\n${Object.entries(entries)
        .map(([each, operation]) => method(each, operation))
        .join("\n\n")}\n`,
  );
  return `"""Made by \`npm run generate:clients\`; a test holds it to be current."""

from typing import Any, Dict, Mapping, Optional, Union

from ._pages import Paged
from ._resource import Resource


${classes.join("\n\n")}
`
    .trimEnd()
    .concat("\n");
}
