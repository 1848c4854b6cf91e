import { register } from "prom-client";
import { expect, it } from "vitest";
import { testDatabase } from "../testing/database.ts";
import { becomes, claimOver, makeSendingWorld, messageId, takenBy } from "../testing/sending-world.ts";
import { foldMetrics } from "./fold-metrics.ts";

const database = await testDatabase();

const reached = async (status: string) => {
  const metric = await register.getSingleMetric("tidings_messages_total")?.get();
  return (
    metric?.values.find(({ labels }) => labels.channel === "sms" && labels.status === status)?.value ?? 0
  );
};

it("every status that a message reaches is counted once, by whichever process folds it", async () => {
  const world = await makeSendingWorld(database);
  const { id: connection } = await world.addTwilio("http://127.0.0.1:9");
  const ids = [messageId(await world.send()), messageId(await world.send())];
  await foldMetrics(database.worker);
  expect([await reached("accepted"), await reached("sent")]).toEqual([2, 0]);
  for (const id of ids) await world.advance(id, claimOver(connection));
  for (const id of ids) await world.advance(id, takenBy(1));
  await world.advance(ids[0] ?? "", becomes("delivered"));
  await foldMetrics(database.worker);
  await foldMetrics(database.worker);
  expect([await reached("accepted"), await reached("sent"), await reached("delivered")]).toEqual([2, 2, 1]);
});
