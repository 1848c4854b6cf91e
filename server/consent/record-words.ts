import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { selectAgreedToMarketing, selectAlreadyRefused } from "./queries.ts";
import type { NewEntry } from "./queries.ts";
import { classesOfNo, classesOfYes } from "./words/revocation-scope.ts";
import type { Answered } from "./words/revocation-scope.ts";
import { writeEntries } from "./write-entries.ts";

/** What a recipient wrote, or switched in their app. */
export interface Said {
  inboundMessageId: string;
  sandbox: boolean;
  channel: Channel;
  address: string;
  state: "opted_in" | "opted_out";
  at: Date;
  /** `provider`: the provider took it for a no or a yes, and acts on it for everything that goes over it. */
  by:
    | { provider: true; source: "keyword" | "provider" }
    | {
        word: string;
        language: string | null;
        all: boolean;
        /** What is written on the button that was tapped. */
        button?: string;
      };
  /** The message of ours that it answers; null: not known. */
  answered: Answered | null;
}

/** What a no or a yes came to. */
export interface Recorded {
  inboundMessageId: string;
  /** The classes that it covers; all, where the provider has taken it for one. */
  classes: readonly (string | null)[];
  /** They had refused all of this before. */
  repeated: boolean;
}

/** Records what recipients said, in the caller's transaction: a handful of statements, however many they are. */
export async function recordWords(ctx: Ctx, tx: Tx, said: readonly Said[]): Promise<Recorded[]> {
  if (said.length === 0) return [];
  const yes = said.filter((one) => one.state === "opted_in" && !("provider" in one.by));
  const agreed = await selectAgreedToMarketing(tx, ctx.tenantId, yes);
  const recorded = said.map((one) => ({ one, entries: entriesOf(one, agreed) }));
  const refused = await selectAlreadyRefused(
    tx,
    ctx.tenantId,
    recorded
      .filter(({ one }) => one.state === "opted_out" && !("provider" in one.by))
      .map(({ one: { inboundMessageId: id, sandbox, channel, address }, entries }) => ({
        id,
        sandbox,
        channel,
        address,
        classes: entries.flatMap((entry) => entry.class ?? []),
      })),
  );
  for (const sandbox of [false, true]) {
    const entries = recorded.filter(({ one }) => one.sandbox === sandbox).flatMap((each) => each.entries);
    if (entries.length === 0) continue;
    await writeEntries(ctx, tx, sandbox, entries);
  }
  return recorded.map(({ one: { inboundMessageId }, entries }) => ({
    inboundMessageId,
    classes: entries.map((entry) => entry.class),
    repeated: refused.has(inboundMessageId),
  }));
}

function entriesOf(one: Said, agreed: ReadonlySet<string>): NewEntry[] {
  const { inboundMessageId, channel, address, state, at, by, answered } = one;
  const entry = { channel, address, region: null, state, at };
  if ("provider" in by) {
    const evidence = { inboundMessageId };
    // WhatsApp's own switch is about marketing and nothing else.
    const of = channel === "whatsapp" ? "marketing" : null;
    return [{ ...entry, id: newId(), class: of, source: by.source, evidence }];
  }
  const evidence = {
    inboundMessageId,
    word: by.word,
    ...(by.language === null ? {} : { language: by.language }),
    ...(by.button === undefined ? {} : { button: by.button.slice(0, 100) }),
  };
  const classes =
    state === "opted_out"
      ? classesOfNo(answered, { all: by.all, at })
      : classesOfYes(answered, { agreedBefore: agreed.has(inboundMessageId) });
  return classes.map((of) => ({ ...entry, id: newId(), class: of, source: "keyword" as const, evidence }));
}
