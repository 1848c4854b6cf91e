import { createPublicKey } from "node:crypto";
import type { TxtLookUp } from "../kernel/txt-records.ts";
import type { DnsPart } from "./schemas.ts";

/** What a name server has said, without when. */
export type Found = Omit<DnsPart, "checkedAt">;

/** Look-ups that SPF allows (RFC 7208, 4.6.4); more make the record invalid. */
const maxLookups = 10;
/** A record that is longer is shown cut. */
const maxShown = 1_000;
const shown = (text: string) => (text.length > maxShown ? `${text.slice(0, maxShown)}…` : text);

const isSpf = (text: string) => /^v=spf1(?: |$)/i.test(text);

/**
 * The SPF record of the envelope's domain: whether there is one, only one, whether what it includes can be looked up, and whether it
 * names the provider. Throws when a name server does not answer.
 */
export async function checkSpf(
  lookUp: TxtLookUp,
  where: { domain: string; include: string | null; aligned: boolean },
): Promise<Found> {
  const { domain: name, include, aligned } = where;
  const records = (await lookUp(name)).filter(isSpf);
  const fresh =
    include === null ? null : { name, type: "TXT" as const, value: `v=spf1 include:${include} ~all` };
  const [record] = records;
  if (record === undefined) {
    return {
      state: "bad",
      name,
      record: null,
      summary:
        include === null
          ? "There is no SPF record. Add one that names the addresses of your mail server."
          : "There is no SPF record.",
      fix: fresh,
    };
  }
  const base = { name, record: shown(records.join("\n")), fix: null };
  if (records.length > 1) {
    return {
      ...base,
      state: "bad",
      summary: `There are ${String(records.length)} SPF records, so none of them counts. Join them into one.`,
    };
  }
  const walked = await walkSpf(lookUp, name, record);
  if (walked.problem !== null) return { ...base, state: "bad", summary: walked.problem };
  if (include !== null && !walked.included.has(include)) {
    return {
      ...base,
      state: "bad",
      summary: `The record does not include ${include}, from where your mail is sent.`,
      fix: { name, type: "TXT", value: withInclude(record, include) },
    };
  }
  if (walked.everybody) {
    return {
      ...base,
      state: "warning",
      summary: "The record ends in +all: it lets anybody send in your name.",
    };
  }
  if (!aligned) {
    return {
      ...base,
      state: "warning",
      summary:
        "The record is right, but it is of another domain than the sender's: for DMARC only DKIM counts.",
    };
  }
  return {
    ...base,
    state: include === null ? "unknown" : "good",
    summary:
      include === null
        ? `There is one. Whether it names your mail server's addresses cannot be seen from here. It takes ${String(walked.lookups)} of ${String(maxLookups)} look-ups.`
        : `It includes ${include} and takes ${String(walked.lookups)} of ${String(maxLookups)} look-ups.`,
  };
}

interface Walked {
  lookups: number;
  included: Set<string>;
  everybody: boolean;
  problem: string | null;
}

/** Follows what a record includes, for no more look-ups than receivers make. */
async function walkSpf(lookUp: TxtLookUp, domain: string, first: string): Promise<Walked> {
  const walked: Walked = { lookups: 0, included: new Set(), everybody: false, problem: null };
  const queue: { domain: string; record: string }[] = [{ domain, record: first }];
  for (let next = queue.shift(); next; next = queue.shift()) {
    for (const term of next.record.toLowerCase().split(/ +/).slice(1)) {
      const [, qualifier = "", mechanism = "", target = ""] =
        /^([+?~-]?)(include|redirect|exists|a|mx|ptr|all)(?:[:=]([^/]*))?(?:\/.*)?$/.exec(term) ?? [];
      if (mechanism === "all") {
        if (next.domain === domain && (qualifier === "" || qualifier === "+")) walked.everybody = true;
        continue;
      }
      if (mechanism === "") continue;
      walked.lookups++;
      if (walked.lookups > maxLookups) {
        walked.problem = `The record takes more than ${String(maxLookups)} look-ups, so receivers give up on it. Remove what you no longer send with.`;
        return walked;
      }
      // A macro stands for what only a receiver knows.
      if ((mechanism !== "include" && mechanism !== "redirect") || target.includes("%")) continue;
      walked.included.add(target);
      const records = (await lookUp(target)).filter(isSpf);
      const [record] = records;
      if (record === undefined || records.length > 1) {
        walked.problem = `It includes ${target}, which has ${record === undefined ? "no SPF record" : "several"}: receivers treat the whole record as wrong.`;
        return walked;
      }
      queue.push({ domain: target, record });
    }
  }
  return walked;
}

/** The record with one more include, before what says "all". */
function withInclude(record: string, include: string): string {
  const terms = record.trim().split(/ +/);
  const all = terms.findIndex((term) => /^[+?~-]?all$|^redirect=/i.test(term));
  terms.splice(all === -1 ? terms.length : all, 0, `include:${include}`);
  return terms.join(" ");
}

/** The tags of a DKIM or DMARC record; of one that is repeated the first. */
function tagsOf(record: string): Map<string, string> {
  const tags = new Map<string, string>();
  for (const part of record.split(";").slice(0, 50)) {
    const at = part.indexOf("=");
    const name = part.slice(0, at).trim().toLowerCase();
    if (at > 0 && !tags.has(name)) tags.set(name, part.slice(at + 1).trim());
  }
  return tags;
}

/** The DKIM key under any of the selectors. Throws when a name server does not answer. */
export async function checkDkim(
  lookUp: TxtLookUp,
  where: { domain: string; selectors: readonly string[] | null; aligned: boolean; place: string },
): Promise<Found> {
  const { domain, selectors, aligned, place } = where;
  if (selectors === null) {
    return {
      state: "unknown",
      name: null,
      record: null,
      summary: `We do not know the selector that mails are signed with, so the key cannot be looked up. ${place} shows it.`,
      fix: null,
    };
  }
  let best: Found | undefined;
  for (const selector of selectors) {
    const name = `${selector}._domainkey.${domain}`;
    const found = keyOf(name, await lookUp(name));
    if (found.state === "good") {
      return aligned
        ? found
        : {
            ...found,
            state: "warning",
            summary: `${found.summary} It signs for ${domain}, which is not the sender's domain: for DMARC it does not count.`,
          };
    }
    if (best?.record == null) best = found;
  }
  if (best?.record != null) return best;
  return {
    state: "bad",
    name: selectors.map((selector) => `${selector}._domainkey.${domain}`).join(", "),
    record: null,
    summary: `There is no key. ${place} shows the records to add; the key is different for each account.`,
    fix: null,
  };
}

function keyOf(name: string, texts: readonly string[]): Found {
  const record = texts.find((text) => tagsOf(text).has("p"));
  if (record === undefined)
    return { state: "bad", name, record: null, summary: "There is no key.", fix: null };
  const base = { name, record: shown(record), fix: null };
  const key = (tagsOf(record).get("p") ?? "").replaceAll(/\s/g, "");
  if (key === "") return { ...base, state: "bad", summary: "The key was withdrawn: its record is empty." };
  const kind = tagsOf(record).get("k")?.toLowerCase() ?? "rsa";
  if (kind !== "rsa") return { ...base, state: "good", summary: `There is a key (${kind}).` };
  const bits = bitsOf(key);
  if (bits === null) return { ...base, state: "bad", summary: "The key cannot be read: copy it anew." };
  if (bits < 1_024)
    return {
      ...base,
      state: "bad",
      summary: `The key has ${String(bits)} bits; receivers ask for 1024 at least.`,
    };
  return { ...base, state: "good", summary: `There is a key of ${String(bits)} bits.` };
}

function bitsOf(key: string): number | null {
  try {
    const der = Buffer.from(key, "base64");
    return (
      createPublicKey({ key: der, format: "der", type: "spki" }).asymmetricKeyDetails?.modulusLength ?? null
    );
  } catch {
    return null;
  }
}

/** How far up the names a DMARC record is looked for. */
const maxParents = 5;

/** The DMARC record of a domain or of one above it. Throws when a name server does not answer. */
export async function checkDmarc(lookUp: TxtLookUp, domain: string): Promise<Found> {
  const labels = domain.split(".");
  for (let cut = 0; cut <= Math.min(labels.length - 2, maxParents); cut++) {
    const of = labels.slice(cut).join(".");
    const name = `_dmarc.${of}`;
    const records = (await lookUp(name)).filter((text) => /^v\s*=\s*dmarc1\s*(?:;|$)/i.test(text));
    const [record] = records;
    if (record === undefined) continue;
    const base = { name, record: shown(records.join("\n")), fix: null };
    if (records.length > 1) {
      return {
        ...base,
        state: "bad",
        summary: `There are ${String(records.length)} DMARC records, so none of them counts. Keep one.`,
      };
    }
    return { ...base, ...policyOf(record, name, cut > 0) };
  }
  return {
    state: "bad",
    name: `_dmarc.${domain}`,
    record: null,
    summary: "There is no DMARC record. Gmail and Yahoo ask whoever sends many mails for one.",
    fix: { name: `_dmarc.${domain}`, type: "TXT", value: `v=DMARC1; p=none; rua=mailto:dmarc@${domain}` },
  };
}

function policyOf(record: string, name: string, above: boolean): Pick<Found, "state" | "summary" | "fix"> {
  const tags = tagsOf(record);
  const policy = (above ? (tags.get("sp") ?? tags.get("p")) : tags.get("p"))?.toLowerCase();
  const mode = (tag: string) => (tags.get(tag)?.toLowerCase() === "s" ? "strict" : "relaxed");
  const alignment = `Alignment is ${mode("adkim")} for DKIM and ${mode("aspf")} for SPF.`;
  const reports = tags.has("rua") ? "" : " Nobody gets its reports: add rua=mailto: with an address.";
  if (policy !== "none" && policy !== "quarantine" && policy !== "reject") {
    return {
      state: "bad",
      summary: "The record has no policy that receivers know: p must be none, quarantine or reject.",
      fix: null,
    };
  }
  if (policy === "none") {
    return {
      state: "warning",
      summary: `The policy is none: mail that somebody forges in your name is delivered all the same. ${alignment}${reports}`,
      fix: above
        ? null
        : { name, type: "TXT", value: record.replace(/(^|;)(\s*)p\s*=\s*none/i, "$1$2p=quarantine") },
    };
  }
  return { state: "good", summary: `The policy is ${policy}. ${alignment}${reports}`, fix: null };
}
