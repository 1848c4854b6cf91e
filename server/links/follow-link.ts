import type { Db } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { logger } from "../kernel/log.ts";
import { counter } from "../kernel/metrics.ts";
import { Shares } from "../kernel/shares.ts";
import { isShortenable, isCode } from "./shortener.ts";
import { callRecordClick, findLink } from "./queries.ts";
import type { FoundLink } from "./queries.ts";
import type { MachineReason } from "./visitor.ts";

/** How long following a link waits for the click to be written, ms; the writing goes on by itself. */
const clickTimeoutMs = 500;
/** How many clicks of one link become events; all are counted. */
const maxClickEvents = 100;

/** Clicks of one message wait for each other in the database: who calls a link in a loop must not take all connections for that. */
const turns = new Shares(2, 5_000);

const follows = counter("tidings_short_links_total", "Short links followed by what became of them", [
  "result",
]);

/**
 * Where a short link leads; null for a code that is unknown or has expired, which callers cannot tell apart. The click is
 * written, a program's (`machine`) apart from people's; if that fails or takes long, the link still works.
 */
export async function followLink(
  deps: { db: Db },
  input: { code: string; machine: MachineReason | null },
): Promise<{ url: string; sandbox: boolean } | null> {
  const link = isCode(input.code) ? await findLink(deps.db, input.code) : null;
  if (!link || !isShortenable(link.url)) {
    follows.inc({ result: "unknown" });
    return null;
  }
  follows.inc({ result: input.machine === null ? "clicked" : "previewed" });
  await recordClick(deps.db, link, input.machine);
  return { url: new URL(link.url).href, sandbox: link.sandbox };
}

async function recordClick(db: Db, link: FoundLink, machine: MachineReason | null): Promise<void> {
  const write = () => callRecordClick(db, link, { maxEvents: maxClickEvents, machine });
  const written = turns.run(link.tenantId, write).catch((error: unknown) => {
    follows.inc({ result: "not_recorded" });
    if (error instanceof DomainError) return;
    logger().warn({ err: error, tenantId: link.tenantId, linkId: link.id }, "a click was not recorded");
  });
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, clickTimeoutMs);
  });
  await Promise.race([written, enough]);
  clearTimeout(timer);
}
