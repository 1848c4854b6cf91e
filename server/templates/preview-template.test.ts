import { expect, test } from "vitest";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { previewTemplate } from "./preview-template.ts";
import { templatePreviewInputSchema } from "./schemas.ts";

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
