/**
 * The least that delivering a message can be: a graphile-worker task with one call of the provider and one update. It has
 * the same local queue and batched completion as the product's bulk runner.
 *
 *   DATABASE_URL=… PROVIDER_URL=… node bench/floor/worker.ts
 */
import { run } from "graphile-worker";
import pg from "pg";

const inFlight = Number(process.env.IN_FLIGHT ?? "256");
const accountPath = `/2010-04-01/Accounts/AC${"0".repeat(32)}/Messages.json`;
const url = `${process.env.PROVIDER_URL ?? ""}${accountPath}`;
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 16 });
const authorization = `Basic ${Buffer.from(`AC${"0".repeat(32)}:bench`).toString("base64")}`;

const runner = await run({
  pgPool: pool,
  noHandleSignals: true,
  taskList: {
    deliver: async (payload) => {
      const { id, recipient } = payload as { id: string; recipient: string };
      const answer = await fetch(url, {
        method: "POST",
        headers: { authorization, "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({
          To: recipient,
          From: "+4915700000000",
          Body: "Hello Ada, everything for your garden is cheaper until 4711.",
          StatusCallback: `http://127.0.0.1:9/?notification=${id}&attempt=1`,
        }).toString(),
      });
      const { sid } = (await answer.json()) as { sid: string };
      await pool.query({
        name: "sent",
        text: "UPDATE messages SET status = 'sent', provider_message_id = $2 WHERE id = $1",
        values: [id, sid],
      });
    },
  },
  preset: {
    worker: {
      concurrentJobs: inFlight,
      pollInterval: 500,
      localQueue: { size: inFlight * 2, refetchDelay: { durationMs: 20, threshold: 0 } },
      completeJobBatchDelay: 5,
      failJobBatchDelay: 5,
    },
  },
});
process.once("SIGTERM", () => {
  void runner.stop().then(() => pool.end());
});
await runner.promise;
