import type { Db } from "../kernel/db.ts";
import type { OutboundMessage, SendOutcome } from "../providers/adapters/adapter.ts";
import { simulatorCredentialsSchema } from "../providers/adapters/simulator/schemas.ts";
import { simulatedCallbacks } from "../providers/adapters/simulator/simulator-callbacks.ts";
import { tenantConnections } from "../providers/load-connection.ts";
import type { ProviderConnection } from "../providers/load-connection.ts";
import type { NotificationChange } from "./queries.ts";
import { selectSimulatedMessage } from "./queries.ts";
import { postSimulatedCallback } from "./tasks.ts";
import type { z } from "zod";

/** The jobs that will post what the sandbox's provider owes for a message; none for real providers. */
export function simulatedCallbackJobs(
  connection: ProviderConnection,
  message: OutboundMessage,
  outcome: Extract<SendOutcome, { kind: "sent" }>,
): NonNullable<NotificationChange["jobs"]> {
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

/**
 * Posts one callback to the service's own public callback route, as a provider would. Not through the guarded client: the
 * address is the service's own. Throws when the route does not answer 2xx; the job is then run again.
 */
export async function deliverSimulatedCallback(
  deps: { db: Db; publicUrl: string },
  payload: z.output<typeof postSimulatedCallback.payload>,
): Promise<void> {
  const connections = await tenantConnections({ db: deps.db, tenantId: payload.tenantId });
  const connection = connections.get(payload.connectionId);
  const message = await selectSimulatedMessage(deps.db, payload);
  if (connection?.adapter.name !== "simulator" || !message) return;
  const callback = simulatedCallbacks(
    { ...message, notificationId: payload.notificationId, attempt: payload.attempt },
    message.providerMessageId,
  )[payload.step];
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
