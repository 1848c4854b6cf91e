import type { Db } from "../kernel/db.ts";
import type { OutboundMessage, SendOutcome } from "../adapters/adapter.ts";
import { simulatorCredentialsSchema } from "../adapters/simulator/schemas.ts";
import { simulatedCallbacks } from "../adapters/simulator/simulator-callbacks.ts";
import type { SimulatedCallback, SimulatedMessage } from "../adapters/simulator/simulator-callbacks.ts";
import { tenantConnections } from "../connections/load-connection.ts";
import type { ProviderConnection } from "../connections/load-connection.ts";
import type { Job } from "./notification-change.ts";
import { selectSimulatedMessage } from "./queries.ts";
import { senderOf } from "./render-message.ts";
import { postSimulatedCallback } from "./tasks.ts";
import type { z } from "zod";

/** The jobs that post the callbacks of the sandbox's provider for a message; none for real providers. */
export function simulatedCallbackJobs(
  connection: ProviderConnection,
  message: OutboundMessage,
  outcome: Extract<SendOutcome, { kind: "sent" }>,
): Job[] {
  if (connection.adapter.name !== "simulator" || outcome.providerMessageId === null) return [];
  return simulatedCallbacks(message, outcome.providerMessageId).map((callback, step) => ({
    task: postSimulatedCallback.name,
    payload: {
      tenantId: message.tenantId,
      notificationId: message.notificationId,
      connectionId: connection.id,
      attempt: message.attempt,
      step,
    },
    runAt: new Date(Date.now() + callback.delayMs).toISOString(),
  }));
}

/** Posts one of a message's automatic callbacks; see postSimulated. */
export async function deliverSimulatedCallback(
  deps: { db: Db; publicUrl: string },
  payload: z.output<typeof postSimulatedCallback.payload>,
): Promise<void> {
  await postSimulated(
    deps,
    payload,
    (message, providerMessageId) => simulatedCallbacks(message, providerMessageId)[payload.step],
  );
}

/**
 * Posts a callback to the service's own public callback route, as a provider would. Not through the guarded client: the
 * address is the service's own. Does nothing when the attempt or its connection is gone. Throws when the route does not
 * answer 2xx; the job is then retried.
 */
export async function postSimulated(
  deps: { db: Db; publicUrl: string },
  about: { tenantId: string; notificationId: string; connectionId: string; attempt: number },
  choose: (message: SimulatedMessage, providerMessageId: string) => SimulatedCallback | null | undefined,
): Promise<void> {
  const connections = await tenantConnections({ db: deps.db, tenantId: about.tenantId });
  const connection = connections.get(about.connectionId);
  const message = await selectSimulatedMessage(deps.db, about);
  if (connection?.adapter.name !== "simulator" || !message) return;
  const senderId = senderOf(connection, message);
  const callback = choose(
    {
      ...message,
      ...(senderId === undefined ? {} : { senderId }),
      notificationId: about.notificationId,
      attempt: about.attempt,
    },
    message.providerMessageId,
  );
  if (!callback) return;
  const { url, headers, body } = callback.build(
    `${deps.publicUrl}/api/callbacks/${connection.id}`,
    simulatorCredentialsSchema.parse(connection.connection.credentials),
  );
  const response = await fetch(url, {
    method: "POST",
    headers,
    body,
    redirect: "error",
    signal: AbortSignal.timeout(10_000),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`the callback route answered ${String(response.status)}`);
}
