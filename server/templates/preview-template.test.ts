import { expect, test } from "vitest";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { createTemplate } from "./create-template.ts";
import { previewTemplate } from "./preview-template.ts";
import { templateCreateSchema, templatePreviewInputSchema } from "./schemas.ts";

const database = await testDatabase();

test("a preview shows times in UTC, as messages are sent, whatever zone an older page asks for", async () => {
  const { system } = await makeTenant(database);
  const { message } = await previewTemplate(
    system,
    templatePreviewInputSchema.parse({
      channel: "sms",
      body: "{{ at | date: '%F %R %Z' }}",
      variables: [{ name: "at", example: "2027-03-01T22:30:00Z" }],
      timezone: "Asia/Tokyo",
    }),
  );
  expect(message).toMatchObject({ text: "2027-03-01 22:30 UTC" });
});

test("a stored text is shown as its recipients get it: in the language and region that it is for", async () => {
  const { system } = await makeTenant(database);
  const { id: templateId } = await createTemplate(
    system,
    templateCreateSchema.parse({
      application: "shop",
      name: "due",
      notificationType: "order",
      notificationSubtype: "order_status",
      channel: "sms",
      language: "de",
      region: "CH",
      body: "{{ '2027-01-31' | date: 'long' }}, {{ '12.5' | money: 'CHF' }}",
    }),
  );
  const shown = async (input: object) =>
    (await previewTemplate(system, templatePreviewInputSchema.parse({ templateId, ...input }))).message?.text;
  expect(await shown({})).toBe("31. Januar 2027, CHF 12.50");
  expect(await shown({ language: "en", region: "GB" })).toBe("31 January 2027, CHF 12.50");
});
