import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

/** What the provider says it received. */
export interface Received {
  messages: number;
  /** Messages that arrived more than once. */
  repeated: number;
  firstAt: number;
  lastAt: number;
  /** Epoch ms at which each arrived first, by notification id. */
  at: Map<string, number>;
}

/** Reads an emulator's file. */
export async function readReceived(logFile: string): Promise<Received> {
  const at = new Map<string, number>();
  let messages = 0;
  let firstAt = Infinity;
  let lastAt = 0;
  for await (const line of createInterface({ input: createReadStream(logFile) })) {
    if (line === "") continue;
    const entry = JSON.parse(line) as { at: number; notification: string | null };
    messages++;
    firstAt = Math.min(firstAt, entry.at);
    lastAt = Math.max(lastAt, entry.at);
    const id = entry.notification ?? `unnamed ${messages}`;
    if (!at.has(id)) at.set(id, entry.at);
  }
  return { messages, repeated: messages - at.size, firstAt, lastAt, at };
}
