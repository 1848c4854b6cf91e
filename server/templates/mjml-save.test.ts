import { expect, test } from "vitest";
import { DomainError } from "../kernel/errors.ts";
import { renderVersion } from "../rendering/render-pool.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { createTemplate } from "./create-template.ts";
import { getTemplate } from "./get-template.ts";
import { previewTemplate } from "./preview-template.ts";
import { getStoredVersion } from "./resolve-template.ts";
import { templateCreateSchema, templatePreviewInputSchema, templateUpdateSchema } from "./schemas.ts";
import { updateTemplate } from "./update-template.ts";

const database = await testDatabase();
const { system, worker } = await makeTenant(database);

const mjml = (text: string) =>
  `<mjml><mj-body><mj-section><mj-column><mj-text>${text}</mj-text></mj-column></mj-section></mj-body></mjml>`;
const content = (text: string) => ({
  subject: "Hello",
  body: mjml(text),
  metadata: { format: "mjml" },
  variables: [{ name: "name", example: "Ada" }],
});
const create = (text: string, name: string, region?: string) =>
  createTemplate(
    system,
    templateCreateSchema.parse({
      application: "shop",
      name,
      region,
      notificationType: "order",
      notificationSubtype: "order_status",
      channel: "email",
      ...content(text),
    }),
  );

test("a saved MJML text is returned as it was written, and sent as the compiled HTML", async () => {
  const { id, body } = await create("Hello {{ name }}", "saved");
  expect(body).toBe(mjml("Hello {{ name }}"));
  const version = await getStoredVersion(worker, id, 1);
  const sent =
    version && (await renderVersion(version, { name: "<Ada>" }, { locale: "en", timezone: "UTC" }));
  expect(sent?.ok && sent.message.html).toMatch(/^<!doctype html>[\s\S]*Hello &lt;Ada&gt;/);
  expect(sent?.ok && sent.message.text).toBe("Hello <Ada>");
  const preview = await previewTemplate(system, templatePreviewInputSchema.parse({ templateId: id }));
  expect(preview.message?.html).toContain("Hello Ada");

  const broken = await updateTemplate(system, {
    ...templateUpdateSchema.parse(content("<mj-nope />{{ nobody }}")),
    id,
  }).catch((error: unknown) => error);
  expect(broken instanceof DomainError && broken.code).toBe("invalid_template");
  expect((await getTemplate(system, { id })).latestVersion).toBe(1);
});

test("findings of moderation in an MJML text have their position in the MJML", async () => {
  const text = "Write to ada.lovelace@acme-shop.com";
  const body = mjml(text);
  const { findings } = await previewTemplate(
    system,
    templatePreviewInputSchema.parse({ channel: "email", ...content(text) }),
  );
  expect(findings).not.toEqual([]);
  for (const { pointer, start, end, excerpt } of findings) {
    expect(pointer).toBe("/body");
    expect(body.slice(start, end)).toBe(excerpt);
  }
});

test("a save refuses MJML that would be sent as HTML, and says what to change", async () => {
  const input = templateCreateSchema.parse({
    application: "shop",
    name: "as-html",
    notificationType: "order",
    notificationSubtype: "order_status",
    channel: "email",
    ...content("Hello"),
    metadata: {},
    region: "FR",
  });
  const refused = await createTemplate(system, input).catch((error: unknown) => error);
  expect(refused).toMatchObject({
    code: "invalid_template",
    extra: { problems: [{ pointer: "/body", code: "mjml_as_html", line: 1, column: 1 }] },
  });
  expect((refused as DomainError).message).toContain('Set metadata.format to "mjml"');
  const saved = await createTemplate(system, { ...input, metadata: { format: "mjml" } });
  expect(saved.latestVersion).toBe(1);
});

test("a preview of a saved version shows the HTML that is sent, also when a newer compiler would make another", async () => {
  const { id } = await create("Hello {{ name }}", "compiled-before", "AT");
  await database.owner.query("UPDATE template_versions SET compiled_body = $2 WHERE template_id = $1", [
    id,
    "<!doctype html><html><body><p>As compiled then, {{ name }}</p></body></html>",
  ]);
  const preview = await previewTemplate(system, templatePreviewInputSchema.parse({ templateId: id }));
  expect(preview.problems).toEqual([]);
  expect(preview.message?.text).toBe("As compiled then, Ada");
});
