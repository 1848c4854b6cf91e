import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { folderOf, readFolders, toFiles } from "./files.ts";
import type { FileTemplate } from "./files.ts";
import { inCalls } from "./vocabulary.ts";

const file = (name: string, content = "x\n") => ({ path: name, content });
const folderOfFile = (name: string) => name.slice(0, name.lastIndexOf("/"));

const template = (fields: Partial<FileTemplate> = {}): FileTemplate => ({
  name: "order-shipped",
  notificationType: "order",
  notificationSubtype: "shipped",
  channel: "email",
  region: null,
  language: "de",
  provider: null,
  subject: "Unterwegs",
  body: "<p>{{ name }}</p>",
  metadata: { replyTo: "a@example.com" },
  variables: [{ name: "name", type: "string", required: true }],
  ...fields,
});

const text = fc
  .string({ unit: "grapheme", maxLength: 200 })
  .map((value) => value.replaceAll("\r\n", "\n").replace(/^\uFEFF/, ""));
const anyTemplate: fc.Arbitrary<FileTemplate> = fc
  .record({
    name: fc.stringMatching(/^[A-Za-z0-9]([A-Za-z0-9._-]{0,20}[A-Za-z0-9])?$/),
    notificationType: text,
    notificationSubtype: text,
    channel: fc.constantFrom("sms", "email", "whatsapp"),
    region: fc.option(fc.stringMatching(/^[A-Z]{2}$/)),
    language: fc.option(fc.stringMatching(/^[a-z]{2}$/)),
    provider: fc.option(fc.stringMatching(/^[a-z][a-z0-9_-]{0,10}$/)),
    body: text,
    subject: text,
    part: fc.option(text, { nil: undefined }),
    mjml: fc.boolean(),
  })
  .map(({ part, mjml, subject, ...rest }) =>
    template({
      ...rest,
      subject: rest.channel === "email" ? subject : null,
      metadata:
        rest.channel === "email"
          ? { ...(part === undefined ? {} : { text: part }), ...(mjml ? { format: "mjml" } : {}) }
          : {},
    }),
  );

describe("templates as files", () => {
  it("survive a round trip, whatever they contain", () => {
    fc.assert(
      fc.property(anyTemplate, (original) => {
        expect(readFolders(toFiles(original))).toEqual([
          { path: folderOf(original), template: original, problems: [] },
        ]);
      }),
    );
  });

  it("have a folder of their own on every file system, even where DE and de are the same", () => {
    const variants = [
      template({ region: "DE", language: null }),
      template({ region: null, language: "de" }),
      template({ region: "DE", language: "de" }),
      template({ region: null, language: null, provider: "twilio" }),
      template({ region: null, language: null }),
    ];
    expect(new Set(variants.map((one) => folderOf(one).toLowerCase())).size).toBe(variants.length);
  });

  it("are the same bytes for the same template, whatever the order of its metadata", () => {
    const one = template({ metadata: { replyTo: "a@example.com", fromName: "A" } });
    const other = template({ metadata: { fromName: "A", replyTo: "a@example.com" } });
    expect(toFiles(one)).toEqual(toFiles(other));
  });

  it("are read with line ends and leftovers of other systems", () => {
    const files = toFiles(template({ body: "a\nb" })).map((file) => ({
      path: file.path.replaceAll("/", "\\"),
      content: `\uFEFF${file.content.replaceAll("\n", "\r\n")}`,
    }));
    const [folder] = readFolders([...files, { path: "order-shipped/email.lang-de/.DS_Store", content: "x" }]);
    expect(folder?.template).toEqual(template({ body: "a\nb" }));
  });

  it.each([
    ["a path that is none", "loose.txt", "x", "invalid_path"],
    ["a path that climbs out", "../../etc/passwd/email/body.html", "x", "invalid_path"],
    ["a file that belongs to no template", "a/sms/readme.md", "x", "unknown_file"],
    ["a text of another channel", "a/sms/body.html", "x", "unknown_file"],
    ["no text", "a/sms/template.json", "{}", "missing_file"],
    ["broken JSON", "a/sms/template.json", "{", "invalid_json"],
    ["a misspelt member", "a/sms/template.json", '{"notificationTyp":"x"}', "invalid_json"],
  ])("report what is wrong: %s", (_, path, content, code) => {
    const [folder] = readFolders([{ path, content }]);
    expect(folder?.template).toBeNull();
    expect(folder?.problems.map((problem) => problem.code)).toContain(code);
  });

  it("are sent in calls that keep each template together", () => {
    const files = ["a", "b", "c"].flatMap((name) => [
      file(`${name}/sms/body.txt`, "x".repeat(40)),
      file(`${name}/sms/template.json`),
    ]);
    const calls = inCalls(files, 300);
    expect(calls.length).toBeGreaterThan(1);
    expect(calls.flat()).toEqual(files);
    for (const call of calls) {
      for (const { path: name } of call) {
        const folder = folderOfFile(name);
        expect(call.filter((one) => folderOfFile(one.path) === folder)).toHaveLength(2);
      }
    }
  });
});
