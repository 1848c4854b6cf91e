import { consentPolicy, defaultPolicies, isAllowed } from "../../server/consent/consent-policy.ts";
import type { ConsentStanding } from "../../server/consent/schemas.ts";
import type {
  ConsentPolicy,
  ConsentPolicyOverride,
  NotificationClass,
} from "../../server/tenancy/schemas.ts";
import { channels } from "../messages/channel.tsx";
import { classes } from "./consent-words.ts";

/**
 * The consent policy as it is edited: what was chosen for single cells, by class, channel and region ("" is every region). Overrides
 * for every channel are cells of each channel here, so that what stands in a cell is what holds.
 */
export type PolicyDraft = ReadonlyMap<string, ConsentPolicy>;

export interface Cell {
  class: NotificationClass;
  channel: (typeof channels)[number];
  /** Empty: every region. */
  region: string;
}

const keyOf = (cell: Cell) => `${cell.class}/${cell.channel}/${cell.region}`;

const cellsOf = (region: string): Cell[] =>
  classes.flatMap((of) => channels.map((channel) => ({ class: of, channel, region })));

export function draftOf(overrides: readonly ConsentPolicyOverride[]): PolicyDraft {
  const find = (cell: Cell, channel: boolean, region: boolean) =>
    overrides.find(
      (each) =>
        each.class === cell.class &&
        each.channel === (channel ? cell.channel : undefined) &&
        each.region === (region ? cell.region : undefined),
    );
  const draft = new Map<string, ConsentPolicy>();
  const regions = new Set(overrides.flatMap(({ region }) => region ?? []));
  for (const cell of ["", ...regions].flatMap(cellsOf)) {
    const found =
      cell.region === ""
        ? (find(cell, true, false) ?? find(cell, false, false))
        : // What is said of a channel everywhere outweighs what is said of every channel in a region.
          (find(cell, true, true) ?? (find(cell, true, false) ? undefined : find(cell, false, true)));
    if (found) draft.set(keyOf(cell), found.policy);
  }
  return draft;
}

/** What is stored for a draft: one override for all channels where they agree. */
export function overridesOf(draft: PolicyDraft): ConsentPolicyOverride[] {
  const overrides: ConsentPolicyOverride[] = [];
  /** Classes of which something is said of single channels everywhere. */
  const single = new Set<string>();
  for (const region of ["", ...draftRegions(draft)]) {
    for (const of of classes) {
      const chosen = channels.map((channel) => draft.get(keyOf({ class: of, channel, region })));
      const where = region === "" ? {} : { region };
      const [first] = chosen;
      if (first !== undefined && !single.has(of) && chosen.every((policy) => policy === first)) {
        overrides.push({ class: of, ...where, policy: first });
        continue;
      }
      for (const [index, policy] of chosen.entries()) {
        if (policy === undefined) continue;
        overrides.push({ class: of, channel: channels[index], ...where, policy });
        if (region === "") single.add(of);
      }
    }
  }
  return overrides;
}

export function withCell(draft: PolicyDraft, cell: Cell, policy: ConsentPolicy | null): PolicyDraft {
  const changed = new Map(draft);
  if (policy === null) changed.delete(keyOf(cell));
  else changed.set(keyOf(cell), policy);
  return changed;
}

export function withoutRegion(draft: PolicyDraft, region: string): PolicyDraft {
  return cellsOf(region).reduce((rest, cell) => withCell(rest, cell, null), draft);
}

/** What was chosen for a cell; undefined: what holds anyway. */
export function chosenFor(draft: PolicyDraft, cell: Cell): ConsentPolicy | undefined {
  return draft.get(keyOf(cell));
}

/** What holds for a cell of which nothing is chosen. */
export function inheritedBy(draft: PolicyDraft, cell: Cell): ConsentPolicy {
  const everywhere = cell.region === "" ? undefined : draft.get(keyOf({ ...cell, region: "" }));
  return everywhere ?? defaultPolicies[cell.class];
}

/** Regions of which something is chosen. */
export function draftRegions(draft: PolicyDraft): string[] {
  const regions = new Set([...draft.keys()].map((key) => key.split("/")[2] ?? ""));
  regions.delete("");
  return [...regions].sort();
}

export function sameDraft(one: PolicyDraft, other: PolicyDraft): boolean {
  return one.size === other.size && [...one].every(([key, policy]) => other.get(key) === policy);
}

/** The laxest that marketing is given somewhere. */
export function marketingIs(draft: PolicyDraft): ConsentPolicy {
  const policies = [...draft].flatMap(([key, policy]) => (key.startsWith("marketing/") ? [policy] : []));
  return policies.includes("exempt")
    ? "exempt"
    : policies.includes("opt_out")
      ? "opt_out"
      : "opt_in_required";
}

/** Whether messages to a recipient in a region would be sent under a draft, by channel and class. */
export function preview(standing: readonly ConsentStanding[], draft: PolicyDraft, region: string) {
  const settings = { consentPolicies: overridesOf(draft) };
  return standing.map(({ channel, suppressed, states }) => ({
    channel,
    suppressed,
    classes: classes.map((of) => {
      const own = states.filter((state) => state.class === of);
      const said =
        (own.find((state) => state.region === region) ?? own.find((state) => state.region === null))?.state ??
        null;
      const policy = consentPolicy(settings, { class: of, channel, region });
      return { class: of, said, policy, allowed: !suppressed && isAllowed(policy, said) };
    }),
  }));
}
