/** Templates made to waste time, from preview to provider: they must not affect anybody else. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTemplate } from "../templates/create-template.ts";
import { previewTemplate } from "../templates/preview-template.ts";
import { forgetLiveTemplates } from "../templates/resolve-template.ts";
import { templateCreateSchema, templatePreviewInputSchema } from "../templates/schemas.ts";
import { testDatabase } from "../testing/database.ts";
import { startFakeTwilio } from "../testing/fake-twilio.ts";
import { startMailServer } from "../testing/mail-server.ts";
import { refusal } from "../testing/refusal.ts";
import { makeSendingWorld, messageId } from "../testing/sending-world.ts";

const database = await testDatabase();
const twilio = await startFakeTwilio();
const mail = await startMailServer();
afterAll(() => Promise.all([twilio.close(), mail.close()]));
beforeEach(() => database.owner.query("DELETE FROM graphile_worker._private_jobs"));

const size = 200 * 1024;
const filled = (piece: string) => piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
const variables = [
  { name: "code", type: "string" as const, required: true, example: "4711" },
  { name: "count", type: "number" as const, required: false, example: "2" },
];

/** Fast with their examples, and slow with other values. */
const slowLater = {
  "a loop that a value drives":
    "{% for a in (1..count) %}{% for b in (1..count) %}{% assign x = a | times: b %}{% endfor %}{% endfor %}{{ code }}",
  "a loop over the characters of a value":
    '{% assign all = code | split: "" %}{% for a in all %}{% for b in all %}{% assign x = a | append: b | upcase %}{% endfor %}{% endfor %}{{ code }}',
};
/** Slow, or would be, whatever the values are. */
const slowAlways = {
  "loops within loops":
    "{% for a in (1..2000) %}{% for b in (1..2000) %}{% assign x = a | times: b %}{% endfor %}{% endfor %}{{ code }}",
  "a text that doubles": `{% assign x = code %}${"{% assign x = x | append: x %}".repeat(60)}{{ x }}`,
  "captures that double": `{% assign x = code %}${"{% capture x %}{{ x }}{{ x }}{% endcapture %}".repeat(60)}{{ x }}`,
  "a long text looked for in a long text": `{% assign x = "aaaaaaaa" %}${"{% assign x = x | append: x %}".repeat(16)}{% assign y = "b" | append: x %}{% assign x = x | append: x %}{% if x contains y %}1{% endif %}{{ code }}`,
};
/** Large, and made to be searched again and again. */
const large = {
  "openings of a body": filled("<body"),
  "openings of a style": filled("<style>"),
  "openings of comments": filled("<!--"),
  "openings of links": filled('<a href="https://x.example/'),
  "ends of links": filled("<a href='https://x.example/a'>a</a>"),
  spaces: `<p>${filled(" ")}x</p>`,
  "braces written out": `{% raw %}${filled("{{")}{% endraw %}`,
  conditions: filled("{% if code %}x{% endif %}"),
};

const input = (body: string, channel: "sms" | "email" = "email") => ({
  application: "shop",
  channel,
  ...(channel === "email" ? { subject: "Hello {{ code }}" } : {}),
  body,
  variables,
});

/** The longest that this thread was blocked, ms: what everybody else in the process waits. */
async function longestBlock(act: () => Promise<unknown>): Promise<number> {
  const delays = monitorEventLoopDelay({ resolution: 5 });
  const before = process.threadCpuUsage();
  delays.enable();
  await act();
  delays.disable();
  const { user, system } = process.threadCpuUsage(before);
  // A busy machine makes everything wait; this thread's own part is at most its processor time.
  return Math.min(delays.max / 1e6, (user + system) / 1_000);
}
/** On the event loop each of them took half a second or many. */
const noticeable = 400;

const listing = '{% assign parts = code | split: "," %}{% for part in parts %}<p>{{ part }}</p>{% endfor %}';

/** Another text for order statuses, without any check: as if it had been saved before there was one. */
async function putLive(tenantId: string, channel: string, body: string): Promise<void> {
  await database.owner.query(
    `WITH t AS (
       UPDATE templates SET latest_version = latest_version + 1
       WHERE tenant_id = $1 AND notification_type = 'order' AND channel = $2
       RETURNING id, latest_version
     ), v AS (
       INSERT INTO template_versions (tenant_id, template_id, version, subject, body, variables, author_name, moderation)
       SELECT $1, id, latest_version, 'Hello', $3, $4, 'Test', '{"checkedBy":["deterministic"],"findings":[]}' FROM t
     )
     UPDATE template_deployments d SET version = t.latest_version FROM t
     WHERE d.tenant_id = $1 AND d.template_id = t.id`,
    [tenantId, channel, body, JSON.stringify(variables)],
  );
  forgetLiveTemplates();
}

async function world() {
  const made = await makeSendingWorld(database);
  const sms = await made.addTwilio(twilio.baseUrl);
  const smtp = await made.addSmtp(mail.port);
  await made.addRule("production", [[sms.id]], { channel: "sms" });
  await made.addRule("production", [[smtp]], { channel: "email" });
  return made;
}

// Loading and compiling, which happens once, is not the template's fault.
beforeAll(async () => {
  const { tenant } = await world();
  await previewTemplate(
    tenant.as("template_author"),
    templatePreviewInputSchema.parse(input("<p>{{ code }}</p>")),
  );
});

describe("a hostile template", () => {
  it.each(Object.entries({ ...slowLater, ...slowAlways, ...large }))(
    "does not stop the process that previews it: %s",
    async (_, body) => {
      const { tenant } = await world();
      const ctx = tenant.as("template_author");
      const values = { code: "a".repeat(4_000), count: "100000" };
      const longest = await longestBlock(() =>
        previewTemplate(ctx, templatePreviewInputSchema.parse({ ...input(body), values })),
      );
      expect(longest).toBeLessThan(noticeable);
      // Another tenant's editor keeps working.
      const other = await world();
      const preview = await previewTemplate(
        other.tenant.as("template_author"),
        templatePreviewInputSchema.parse(input("<p>Hello {{ code }}</p>")),
      );
      expect(preview.message?.text).toBe("Hello 4711");
    },
    60_000,
  );

  it.each(Object.entries({ ...slowLater, "loops within loops": slowAlways["loops within loops"] }))(
    "is not saved, whatever its examples are: %s",
    async (_, body) => {
      const { tenant } = await world();
      const ctx = tenant.as("template_author");
      const create = templateCreateSchema.parse({
        ...input(body, "sms"),
        name: "slow",
        notificationType: "order",
        notificationSubtype: "order_status",
      });
      let refused: unknown;
      const longest = await longestBlock(async () => {
        refused = await refusal(createTemplate(ctx, create));
      });
      expect(refused).toMatchObject({ code: "invalid_template", errors: [{ code: "limit_exceeded" }] });
      expect(longest).toBeLessThan(noticeable);
    },
    60_000,
  );

  it(
    "fails alone when it was saved before, and another tenant's messages are sent meanwhile",
    { timeout: 120_000 },
    async () => {
      const [hostile, other] = [await world(), await world()];
      const sent: string[] = [];
      for (const body of Object.values({ ...slowLater, ...slowAlways })) {
        await putLive(hostile.tenantId, "email", body);
        const accepted = await hostile.send({
          recipients: [{ channel: "email", recipient: "ada@example.com" }],
          templateVariables: [{ code: "a".repeat(4_000), count: "100000" }],
        });
        sent.push(messageId(accepted));
      }
      // One that the thread has to render as well, and one that it has not.
      await putLive(other.tenantId, "email", listing);
      const theirs: string[] = [];
      for (const [channel, recipient] of [
        ["email", "bob@example.com"],
        ["sms", "+4915112345678"],
      ] as const) {
        const accepted = await other.send({
          recipients: [{ channel, recipient }],
          templateVariables: [{ code: "1,2" }],
        });
        theirs.push(messageId(accepted));
      }
      const longest = await longestBlock(() => hostile.runJobs());
      expect(longest).toBeLessThan(noticeable);
      for (const id of theirs) expect(await other.notification(id)).toMatchObject({ status: "sent" });
      const outcomes = await Promise.all(sent.map((id) => hostile.notification(id)));
      // Those whose turn has not come yet wait for it; none is sent, none blocks others.
      for (const { status, failure } of outcomes) {
        expect(status === "failed" || status === "queued").toBe(true);
        if (failure) expect(["template_too_slow", "render_failed"]).toContain(failure.code);
      }
      expect(outcomes.some(({ failure }) => failure?.code === "template_too_slow")).toBe(true);
      // And the thread works again by itself.
      const again = messageId(
        await other.send({
          recipients: [{ channel: "email", recipient: "bob@example.com" }],
          templateVariables: [{ code: "3,4" }],
        }),
      );
      await other.runJobs();
      expect(await other.notification(again)).toMatchObject({ status: "sent" });
    },
  );
});
