import type { CodeSample } from "./code-samples.ts";
import { contracts } from "./contracts.ts";
import { referencePath } from "./deprecation.ts";
import { docsNotFound, docsPage, escapeHtml } from "./docs-frame.ts";
import type { DocsPage } from "./docs-frame.ts";
import { openApiText } from "./openapi.ts";
import { renderGuide } from "./render-guide.ts";

/* The API reference as plain pages, one for each tag: what the OpenAPI document says, without a script. */

interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  description?: string;
  enum?: unknown[];
  nullable?: boolean;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}
interface Media {
  schema: Schema;
  example?: unknown;
}
interface Operation {
  operationId: string;
  summary: string;
  deprecated?: boolean;
  "x-codeSamples"?: CodeSample[];
  description?: string;
  tags: string[];
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<
    string,
    { description: string; content?: Record<string, Media & { examples?: Record<string, unknown> }> }
  >;
}
interface Document {
  info: { description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}
interface Listed {
  method: string;
  path: string;
  operation: Operation;
}

let read: { document: Document; byTag: Map<string, Listed[]> } | undefined;

function reference() {
  if (read) return read;
  const document = JSON.parse(openApiText(contracts)) as Document;
  const byTag = new Map<string, Listed[]>(document.tags.map(({ name }) => [name, []]));
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods))
      byTag.get(operation.tags[0] ?? "")?.push({ method: method.toUpperCase(), path, operation });
  return (read = { document, byTag });
}

/** CommonMark of the document as HTML. */
const prose = (text: string) => renderGuide("api", text).html;
/** The same within a line. */
const inline = (text: string) => prose(text).replaceAll(/<\/?p>/g, "");

const nameOf = ({ $ref }: Schema) => $ref?.split("/").at(-1);

function resolve(schema: Schema): Schema {
  const name = nameOf(schema);
  return name === undefined ? schema : (reference().document.components.schemas[name] ?? {});
}

function typeOf(schema: Schema): string {
  const found = resolve(schema);
  const several = found.anyOf ?? found.oneOf;
  if (several) return several.map(typeOf).join(" or ");
  if (found.enum && found.enum.length <= 12) return found.enum.map((value) => String(value)).join(", ");
  if (found.items) return `list of ${typeOf(found.items)}`;
  const type = found.format ?? found.type ?? (found.allOf ? "object" : "any");
  return found.nullable ? `${type} or null` : type;
}

/** Deeper members of an object are in the explorer and the OpenAPI document. */
const DEPTH = 3;

function memberRows(schema: Schema, before: string, depth: number, seen: readonly string[]): string[] {
  const name = nameOf(schema);
  if (name !== undefined && seen.includes(name)) return [];
  const path = name === undefined ? seen : [...seen, name];
  const found = resolve(schema);
  if (found.items) return memberRows(found.items, `${before}[]`, depth, path);
  const parts = found.allOf ?? (found.anyOf ?? found.oneOf)?.slice(0, 1);
  if (parts) return parts.flatMap((part) => memberRows(part, before, depth, path));
  return Object.entries(found.properties ?? {}).flatMap(([member, value]) => {
    const at = before === "" ? member : `${before}.${member}`;
    const required = found.required?.includes(member) ?? false;
    const description = value.description ?? resolve(value).description;
    return [
      row(at, typeOf(value), required, description),
      ...(depth > 1 ? memberRows(value, at, depth - 1, path) : []),
    ];
  });
}

function row(name: string, type: string, required: boolean, description: string | undefined): string {
  return `<tr><th scope="row"><code>${escapeHtml(name)}</code></th><td>${escapeHtml(type)}</td><td>${required ? "required" : ""}</td><td>${description === undefined ? "" : inline(description)}</td></tr>`;
}

function table(label: string, rows: readonly string[]): string {
  if (rows.length === 0) return "";
  return `<div class="table" tabindex="0" role="region" aria-label="${escapeHtml(label)}"><table>
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col"></th><th scope="col">Description</th></tr></thead>
<tbody>${rows.join("\n")}</tbody></table></div>`;
}

function example(value: unknown): string {
  if (value === undefined) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return `<div class="code"><pre tabindex="0"><code>${escapeHtml(text)}</code></pre></div>`;
}

/** Samples side by side, one shown at a time: the choice is a radio button's, so it needs no script. */
function samplesPart(operationId: string, samples: readonly CodeSample[] = []): string {
  if (samples.length === 0) return "";
  const tabs = samples.map(({ label }, index) => {
    const id = `${operationId}-${label.toLowerCase()}`;
    return `<input type="radio" name="${operationId}-sample" id="${id}"${index === 0 ? " checked" : ""}><label for="${id}">${escapeHtml(label)}</label>`;
  });
  return `<h3>Samples</h3><fieldset class="samples"><legend>Language of the sample</legend>${tabs.join("")}
${samples.map(({ source }) => example(source)).join("\n")}</fieldset>
<p class="soft">TypeScript and Python use the <a href="/docs/sdk">client libraries</a>.</p>`;
}

function operationPart({ method, path, operation }: Listed): string {
  const {
    operationId,
    summary,
    deprecated,
    description,
    parameters = [],
    requestBody,
    responses,
  } = operation;
  const body = requestBody?.content["application/json"];
  const good = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  const codes = Object.entries(responses).flatMap(([status, { content }]) =>
    status.startsWith("2") ? [] : Object.keys(content?.["application/problem+json"]?.examples ?? {}),
  );
  const answers = good.map(([status, { description: meaning, content = {} }]) => {
    const [media] = Object.values(content);
    return `<h4>${status}: ${inline(meaning)}</h4>${
      media
        ? `<details><summary>Fields of the answer</summary>${table(`Fields of the answer ${status}`, memberRows(media.schema, "", DEPTH, []))}</details>${example(media.example)}`
        : ""
    }`;
  });
  return `<section class="operation"><h2 id="${operationId}">${escapeHtml(summary)}</h2>
<p class="route"><span class="method">${method}</span><code>${escapeHtml(path)}</code>${deprecated ? '<span class="method">deprecated</span>' : ""}</p>
${description === undefined ? "" : prose(description)}
${
  parameters.length === 0
    ? ""
    : `<h3>Parameters</h3>${table(
        `Parameters of ${summary}`,
        parameters.map(({ name, in: place, required = false, description: meaning, schema }) =>
          row(name, `${place}, ${typeOf(schema)}`, required, meaning),
        ),
      )}`
}
${body ? `<h3>Request body</h3>${table(`Request body of ${summary}`, memberRows(body.schema, "", DEPTH, []))}${example(body.example)}` : ""}
${samplesPart(operationId, operation["x-codeSamples"])}
<h3>Answer</h3>${answers.join("\n")}
<p class="soft">Errors: ${codes.map((code) => `<a href="/docs/errors#${code}"><code>${code}</code></a>`).join(", ")}</p></section>`;
}

function sideLinks(current: string | null): NonNullable<DocsPage["side"]> {
  return {
    label: "API reference",
    groups: [
      {
        title: "API reference",
        links: [
          { href: "/docs/reference", text: "Introduction", current: current === null },
          ...reference().document.tags.map(({ name }) => ({
            href: referencePath(name),
            text: name,
            current: name === current,
          })),
        ],
      },
    ],
  };
}

/** GET /docs/reference: what holds for every operation, and all of them by tag. */
export function referencePage(): Response {
  const { document, byTag } = reference();
  const lists = document.tags.map(
    ({ name, description }) =>
      `<section><h2><a href="${referencePath(name)}">${escapeHtml(name)}</a></h2><p>${escapeHtml(description)}</p><ul>${(
        byTag.get(name) ?? []
      )
        .map(
          ({ operation }) =>
            `<li><a href="${referencePath(name)}#${operation.operationId}">${escapeHtml(operation.summary)}</a></li>`,
        )
        .join("")}</ul></section>`,
  );
  return docsPage({
    title: "API reference",
    part: "/docs/reference",
    side: sideLinks(null),
    content: `<h1>API reference</h1>${prose(document.info.description)}
<p>Try operations with your own key in the <a href="/docs/explorer">API explorer</a>. Code generators read the <a href="/v1/openapi.json">OpenAPI document</a>, Postman the <a href="/v1/postman.json">collection</a>.</p>
<div class="cards">${lists.join("")}</div>`,
  });
}

const pages = new Map<string, string>();

/** GET /docs/reference/{tag}: the operations of one tag. */
export function referenceTagPage(slug: string): Response {
  const { document, byTag } = reference();
  const tag = document.tags.find(({ name }) => referencePath(name) === `/docs/reference/${slug}`);
  if (!tag) return docsNotFound();
  const operations = byTag.get(tag.name) ?? [];
  let content = pages.get(slug);
  if (content === undefined)
    pages.set(
      slug,
      (content = `<h1>${escapeHtml(tag.name)}</h1><p class="lead">${escapeHtml(tag.description)}</p>${operations.map(operationPart).join("\n")}`),
    );
  return docsPage({
    title: `${tag.name} · API reference`,
    part: "/docs/reference",
    side: sideLinks(tag.name),
    sections: operations.map(({ operation }) => ({ id: operation.operationId, title: operation.summary })),
    content,
  });
}
