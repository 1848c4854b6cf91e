import { newId } from "../kernel/ids.ts";
import { callAcceptSends, callAdvance, deliveriesQuery } from "./queries.ts";
import type { Statements } from "./queries.ts";

type Connection = Statements["pool"];

/** Has a connection plan what accepts messages; see warmUp(). */
export async function prepareAccepting(connection: Connection): Promise<void> {
  await callAcceptSends({ pool: connection }, newId(), []);
  await enqueueNothing(connection);
}

/** Has a connection plan what delivers messages; see warmUp(). */
export async function prepareDelivering(connection: Connection): Promise<void> {
  await callAdvance({ pool: connection }, null, []);
  await enqueueNothing(connection);
  await connection.query(deliveriesQuery([]));
}

/** Those two call it only when there are jobs. */
const enqueueNothing = (connection: Connection) => connection.query("SELECT enqueue_jobs('[]')");
