/**
 * Templates as files: one folder a template, so that a change reads well in a diff.
 *
 *   order-shipped/                    the template's name
 *     email.lang-de/                  channel, then what it is for: region-DE, lang-de, via-twilio
 *       template.json                 type, variables, metadata
 *       subject.txt  body.html        (body.mjml, body.txt)
 *       text.txt                      an e-mail's plain-text part
 *
 * Every file ends with a line break that does not belong to the text. Pure; the command line uses it, too.
 */
import type { Channel } from "../kernel/channel.ts";
import type { TemplateFile } from "./schemas.ts";

/** A template without what an installation adds to it: ids, versions, authors. */
export interface FileTemplate {
  name: string;
  notificationType: string;
  notificationSubtype: string;
  channel: Channel;
  region: string | null;
  language: string | null;
  provider: string | null;
  subject: string | null;
  body: string;
  metadata: Record<string, unknown>;
  variables: readonly object[];
}

export interface FolderProblem {
  code: "unknown_file" | "missing_file" | "invalid_json" | "invalid_path" | "too_many";
  detail: string;
}

/** The content of one folder: a template, or the problem. */
export interface Folder {
  path: string;
  template: FileTemplate | null;
  problems: FolderProblem[];
}

const bodyNames = { "body.html": "html", "body.mjml": "mjml", "body.txt": "text" } as const;

/** The folder of a template, relative to its application's. */
export function folderOf(
  template: Pick<FileTemplate, "name" | "channel" | "region" | "language" | "provider">,
): string {
  const parts: string[] = [template.channel];
  // Not "DE" and "de", which are one folder on many file systems.
  if (template.region !== null) parts.push(`region-${template.region}`);
  if (template.language !== null) parts.push(`lang-${template.language}`);
  if (template.provider !== null) parts.push(`via-${template.provider}`);
  return `${template.name}/${parts.join(".")}`;
}

/** A template as files, in a fixed order and form: equal templates are equal bytes. */
export function toFiles(template: FileTemplate): TemplateFile[] {
  const folder = folderOf(template);
  const { text, format, approvalStatus: _status, rejectionReason: _reason, ...metadata } = template.metadata;
  const facts = {
    notificationType: template.notificationType,
    notificationSubtype: template.notificationSubtype,
    variables: template.variables.map(inOrder),
    metadata: sorted(metadata),
  };
  const body = template.channel === "email" ? (format === "mjml" ? "body.mjml" : "body.html") : "body.txt";
  const files = [
    { path: `${folder}/template.json`, content: JSON.stringify(facts, null, 2) },
    ...(template.subject === null ? [] : [{ path: `${folder}/subject.txt`, content: template.subject }]),
    { path: `${folder}/${body}`, content: template.body },
    ...(typeof text === "string" ? [{ path: `${folder}/text.txt`, content: text }] : []),
  ];
  return files.map((file) => ({ ...file, content: `${file.content}\n` }));
}

const variableMembers = ["name", "type", "required", "example", "maxLength", "values"];

/** A variable's members in a fixed order, whatever order a database keeps. */
function inOrder(variable: object): object {
  const members = new Map(Object.entries(variable));
  const names = [...variableMembers, ...members.keys()].filter((name) => members.get(name) !== undefined);
  return Object.fromEntries(names.map((name) => [name, members.get(name)]));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

/** Reads files back into templates, by folder in the order of their paths. Reports the problems of each folder. */
export function readFolders(files: readonly TemplateFile[]): Folder[] {
  const byFolder = new Map<string, Map<string, string>>();
  for (const { path, content } of files) {
    const clean = path.replaceAll("\\", "/").replace(/^(\.\/)+/, "");
    const cut = clean.lastIndexOf("/");
    const folder = clean.slice(0, Math.max(0, cut));
    const name = clean.slice(cut + 1);
    // Leftovers of file managers and version control.
    if (name.startsWith(".") || name === "Thumbs.db" || /(^|\/)(\.git|__MACOSX)(\/|$)/.test(folder)) continue;
    let entry = byFolder.get(folder);
    if (!entry) byFolder.set(folder, (entry = new Map<string, string>()));
    entry.set(
      name,
      content
        .replace(/^\uFEFF/, "")
        .replaceAll("\r\n", "\n")
        .replace(/\n$/, ""),
    );
  }
  return [...byFolder]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, contents]) => readFolder(path, contents));
}

function readFolder(path: string, contents: ReadonlyMap<string, string>): Folder {
  const problems: FolderProblem[] = [];
  const place = readPath(path);
  if (!place) {
    const detail =
      "A template's folder is named like order-shipped/email.lang-de: its name, then the channel with region-DE, lang-de or via-twilio.";
    return { path, template: null, problems: [{ code: "invalid_path", detail }] };
  }
  const bodies = Object.keys(bodyNames).filter((name) => contents.has(name)) as (keyof typeof bodyNames)[];
  const [body] = bodies;
  const allowed = new Set(["template.json", "subject.txt", "text.txt", ...Object.keys(bodyNames)]);
  for (const name of contents.keys()) {
    if (!allowed.has(name)) {
      problems.push({ code: "unknown_file", detail: `"${name}" is no file of a template.` });
    }
  }
  if (body === undefined || bodies.length > 1) {
    const detail =
      bodies.length > 1
        ? `There is more than one text: ${bodies.join(", ")}.`
        : "There is no text: body.html or body.mjml for e-mail, body.txt for the others.";
    problems.push({ code: bodies.length > 1 ? "too_many" : "missing_file", detail });
  } else if ((place.channel === "email") === (body === "body.txt")) {
    problems.push({ code: "unknown_file", detail: `"${body}" is no text for ${place.channel}.` });
  }
  const facts = readFacts(contents.get("template.json"), problems);
  if (!facts || body === undefined || problems.length > 0) return { path, template: null, problems };
  const text = contents.get("text.txt");
  return {
    path,
    problems: [],
    template: {
      ...place,
      notificationType: facts.notificationType,
      notificationSubtype: facts.notificationSubtype,
      subject: contents.get("subject.txt") ?? null,
      body: contents.get(body) ?? "",
      metadata: {
        ...facts.metadata,
        ...(bodyNames[body] === "mjml" ? { format: "mjml" } : {}),
        ...(text === undefined ? {} : { text }),
      },
      variables: facts.variables,
    },
  };
}

function readFacts(
  json: string | undefined,
  problems: FolderProblem[],
): Pick<FileTemplate, "notificationType" | "notificationSubtype" | "metadata" | "variables"> | null {
  if (json === undefined) {
    problems.push({ code: "missing_file", detail: "There is no template.json." });
    return null;
  }
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    const why = error instanceof Error ? error.message : "not JSON";
    problems.push({ code: "invalid_json", detail: `template.json cannot be read: ${why}` });
    return null;
  }
  const isObject = (it: unknown): it is Record<string, unknown> =>
    typeof it === "object" && it !== null && !Array.isArray(it);
  if (!isObject(value)) {
    problems.push({ code: "invalid_json", detail: "template.json must hold an object." });
    return null;
  }
  const { notificationType, notificationSubtype, metadata = {}, variables = [], ...rest } = value;
  const wrong = [
    typeof notificationType === "string" ? "" : "notificationType must be a text",
    typeof notificationSubtype === "string" ? "" : "notificationSubtype must be a text",
    isObject(metadata) ? "" : "metadata must be an object",
    Array.isArray(variables) ? "" : "variables must be a list",
    ...Object.keys(rest).map((name) => `"${name}" is no member of template.json`),
  ].filter(Boolean);
  if (wrong.length > 0) {
    problems.push({ code: "invalid_json", detail: `template.json: ${wrong.join("; ")}.` });
    return null;
  }
  return {
    notificationType: notificationType as string,
    notificationSubtype: notificationSubtype as string,
    metadata: metadata as Record<string, unknown>,
    variables: variables as object[],
  };
}

/** The audience in a folder's path; undefined when it is not a template's path. */
function readPath(
  path: string,
): Pick<FileTemplate, "name" | "channel" | "region" | "language" | "provider"> | undefined {
  const found =
    /^(?<name>[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\/(?<channel>sms|email|whatsapp)(?:\.region-(?<region>[A-Z]{2}))?(?:\.lang-(?<language>[a-z]{2}))?(?:\.via-(?<provider>[a-z][a-z0-9_-]{0,63}))?$/.exec(
      path,
    )?.groups;
  if (!found) return undefined;
  return {
    name: found.name ?? "",
    channel: found.channel as FileTemplate["channel"],
    region: found.region ?? null,
    language: found.language ?? null,
    provider: found.provider ?? null,
  };
}
