import type { OutboundClient } from "../../../server/kernel/outbound-http.ts";
import { Refused } from "../command.ts";
import { importBounds } from "./found.ts";

/** Reads a service's API: JSON by GET, through the guarded client, within the bounds of a run. */
export class Source {
  private readonly client: OutboundClient;
  private readonly name: string;
  private readonly authorization: string;
  private readonly until = Date.now() + importBounds.runMs;
  private pages = 0;

  /** @param authorization goes into the header of every call, and nowhere else */
  constructor(client: OutboundClient, { name, authorization }: { name: string; authorization: string }) {
    this.client = client;
    this.name = name;
    this.authorization = authorization;
  }

  /** A page of a list. Throws `Refused` after so many that they have no end. */
  async page(url: string): Promise<Record<string, unknown>> {
    this.pages++;
    return this.get(url);
  }

  /** Throws `Refused`, in our words: an answer of the service can hold anything. */
  async get(url: string): Promise<Record<string, unknown>> {
    if (this.pages > importBounds.pages || Date.now() > this.until)
      throw new Refused(`${this.name} has more than one run reads; use --only to read less at once.`);
    for (let attempt = 1; ; attempt++) {
      const answer = await this.client
        .request({
          method: "GET",
          url,
          headers: { authorization: this.authorization, accept: "application/json" },
          timeoutMs: importBounds.callMs,
          maxBodyBytes: importBounds.bytes,
        })
        .catch((error: unknown) => {
          throw new Refused(
            `${this.name} does not answer: ${error instanceof Error ? error.message : "no answer"}`,
          );
        });
      if ((answer.status === 429 || answer.status >= 500) && attempt < 5) {
        const seconds = Math.min(Math.max(Number(answer.headers["retry-after"]) || attempt, 0), 30);
        await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
        continue;
      }
      if (answer.status === 401 || answer.status === 403)
        throw new Refused(`${this.name} does not accept the credentials (${answer.status}).`);
      if (answer.status !== 200)
        throw new Refused(`${this.name} answered ${answer.status} to ${new URL(url).pathname}.`);
      try {
        const value: unknown = JSON.parse(answer.body.toString("utf8"));
        if (isRecord(value)) return value;
      } catch {
        // Told below.
      }
      throw new Refused(`${this.name} answered ${new URL(url).pathname} with something that is not JSON.`);
    }
  }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const recordsOf = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];
export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
