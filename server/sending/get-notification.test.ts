import { expect, test } from "vitest";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { makeSendingWorld, messageId } from "../testing/sending-world.ts";
import { getNotification } from "./get-notification.ts";
import { getTimeline } from "./get-timeline.ts";
import { notificationStatuses } from "./notification-state.ts";

const statuses: ReadonlySet<string> = new Set(notificationStatuses);
const database = await testDatabase();

test("a status is never read without its event, however closely a change and a reader meet", async () => {
  const world = await makeSendingWorld(database);
  const { id: connectionId } = await world.addTwilio("http://127.0.0.1:9");
  const owner = world.tenant.as("owner");
  let mismatches = 0;
  let reads = 0;
  for (let round = 0; round < 15; round++) {
    const id = messageId(await world.send());
    let changing = true;
    const look = async (): Promise<void> => {
      while (changing) {
        const [one, { notification }] = await Promise.all([
          getNotification(owner, { id }),
          getTimeline(owner, { id }),
        ]);
        for (const { status, events } of [one, notification]) {
          reads++;
          if (events.findLast(({ type }) => statuses.has(type))?.type !== status) mismatches++;
        }
      }
    };
    const readers = [look(), look()];
    await world.advance(
      id,
      { kind: "claim", worker: newId(), policy: "exempt", connectionId, provider: "Twilio" },
      { kind: "outcome", attempt: 1, outcome: "sent", final: false, providerMessageId: newId() },
      { kind: "transition", to: "delivered", source: "receipt" },
    );
    changing = false;
    await Promise.all(readers);
  }
  expect(reads).toBeGreaterThan(60);
  expect(mismatches).toBe(0);
});
