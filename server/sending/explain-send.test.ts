import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { recordConsent } from "../consent/record-consent.ts";
import { suppressAddress } from "../consent/suppress-address.ts";
import { inTenant } from "../kernel/db.ts";
import { testDatabase } from "../testing/database.ts";
import { startFakeTwilio } from "../testing/fake-twilio.ts";
import { makeSendingWorld, sendBody } from "../testing/sending-world.ts";
import { explainSend } from "./explain-send.ts";
import { orderOfSend } from "./orders.ts";
import { sendRequestSchema } from "./schemas.ts";

const database = await testDatabase();
const provider = await startFakeTwilio();
afterAll(() => provider.close());

const kinds = [
  ["authentication", "one_time_passcode"],
  ["order", "order_status"],
  ["account", "maintenance"],
  ["marketing", "promotion"],
] as const;

describe("an explanation", () => {
  for (const seed of [3, 31, 311]) {
    it(`says of every message what then really happens (seed ${String(seed)})`, async () => {
      const world = await makeSendingWorld(database);
      const { system } = world.tenant;
      const twilio = await world.addTwilio(provider.baseUrl);
      // E-mail has no route in this tenant.
      await world.addRule("production", [[twilio.id]], { channel: "sms" });
      const address = (index: number) => ({
        sms: `+4915112345${String(600 + index)}`,
        email: `p${String(index)}@example.com`,
      });
      let next = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...kinds),
          fc.array(
            fc.record({
              channel: fc.constantFrom("sms" as const, "email" as const),
              valid: fc.boolean(),
              consents: fc.array(
                fc.record({
                  state: fc.constantFrom("opted_in" as const, "opted_out" as const),
                  region: fc.constantFrom(undefined, "DE", "FR"),
                  class: fc.constantFrom(undefined, "marketing" as const, "transactional" as const),
                }),
                { maxLength: 3 },
              ),
              suppressed: fc.nat(5),
              complete: fc.boolean(),
            }),
            { minLength: 1, maxLength: 8 },
          ),
          fc.constantFrom("DE", "FR"),
          async ([notificationType, notificationSubtype], people, region) => {
            const recipients = [];
            for (const person of people) {
              const { channel } = person;
              const recipient = person.valid ? address(next++)[channel] : "nobody";
              recipients.push({
                channel,
                recipient,
                ...(person.complete ? { variables: { code: "1" } } : {}),
              });
              const key = { sandbox: false, channel, address: recipient };
              await inTenant(system, async (tx) => {
                for (const consent of person.consents)
                  await recordConsent(system, tx, {
                    ...key,
                    source: "api",
                    state: consent.state,
                    ...(consent.region ? { region: consent.region } : {}),
                    ...(consent.class ? { class: consent.class } : {}),
                  });
                if (person.suppressed === 0) await suppressAddress(system, tx, { ...key, reason: "manual" });
              });
            }
            // One without problems, so that the request as a whole is valid.
            recipients.push({
              channel: "sms" as const,
              recipient: address(next++).sms,
              variables: { code: "1" },
            });
            const fields = {
              notificationType,
              notificationSubtype,
              region,
              recipients,
              templateVariables: [],
            };
            const order = orderOfSend(
              world.tenant.environments.production,
              sendRequestSchema.parse(sendBody(fields)),
            );
            const told = (await explainSend(system, order)).messages.map(({ outcome, reason }) => [
              outcome,
              reason?.code,
            ]);

            const { notifications } = await world.send(fields);
            await world.runJobs();
            const happened = [];
            for (const { notificationId } of notifications) {
              const row = await world.notification(notificationId);
              if (row.status === "sent") happened.push(["would_send", undefined]);
              else if (row.status === "rejected") happened.push(["would_reject", row.reason_code]);
              else happened.push(["would_fail", row.failure?.code]);
            }
            expect(told).toEqual(happened);
          },
        ),
        { seed, numRuns: 10, endOnFailure: true },
      );
    });
  }
});
