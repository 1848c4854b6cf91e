import type { TxtLookUp } from "../kernel/txt-records.ts";
import { checkDkim, checkDmarc, checkSpf } from "./check-records.ts";
import type { Found } from "./check-records.ts";
import { mailFacts } from "./mail-facts.ts";
import { dnsParts } from "./vocabulary.ts";
import type { DnsPartName } from "./schemas.ts";

/** A sender's domain, and what a connection's settings say about how its mails are sent. */
export interface DomainToCheck {
  domain: string;
  provider: string;
  /** Of SMTP: the domain of the envelope sender, and how the connection signs. */
  bounceDomain?: string | undefined;
  dkim?: { domain: string; selector: string } | undefined;
}

export interface DomainCheck {
  /** Null: it could not be checked. */
  found: Record<DnsPartName, Found | null>;
  problem: string | null;
}

/** The time of one domain's check, ms, and its questions: more than a record that receivers take can need. */
const deadlineMs = 20_000;
const maxQuestions = 40;
/** Of one name; a longer answer is not read. */
const maxTexts = 50;
const maxTextLength = 4_096;

/** Looks a domain's records up. Never throws: what no name server answers is null. */
export async function checkDomain(target: DomainToCheck, lookUp: TxtLookUp): Promise<DomainCheck> {
  const asked = new Map<string, Promise<string[]>>();
  const until = performance.now() + deadlineMs;
  const ask: TxtLookUp = (name) => {
    let answer = asked.get(name);
    if (!answer) {
      if (asked.size >= maxQuestions || performance.now() > until) {
        return Promise.reject(new Error("the check takes too long"));
      }
      answer = lookUp(name).then((texts) =>
        texts.slice(0, maxTexts).map((text) => text.slice(0, maxTextLength)),
      );
      asked.set(name, answer);
    }
    return answer;
  };
  const checks: Record<DnsPartName, () => Promise<Found>> = {
    spf: () => spfOf(target, ask),
    dkim: () => dkimOf(target, ask),
    dmarc: () => checkDmarc(ask, target.domain),
  };
  const found: DomainCheck["found"] = { spf: null, dkim: null, dmarc: null };
  const failed: string[] = [];
  for (const part of dnsParts) {
    try {
      found[part] = await withinTime(checks[part](), until);
    } catch {
      failed.push(part.toUpperCase());
    }
  }
  const problem =
    failed.length === 0 ? null : `${failed.join(", ")} could not be checked: no name server answered.`;
  return { found, problem };
}

async function withinTime<T>(work: Promise<T>, until: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => {
        reject(new Error("the check takes too long"));
      },
      Math.max(0, until - performance.now()),
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function spfOf({ domain, provider, bounceDomain }: DomainToCheck, lookUp: TxtLookUp): Promise<Found> {
  const facts = mailFacts[provider];
  if (!facts) return Promise.resolve(notKnown);
  const { envelope, include } = facts;
  if (bounceDomain !== undefined) {
    return checkSpf(lookUp, { domain: bounceDomain, include, aligned: related(bounceDomain, domain) });
  }
  if (envelope.at === "unknown") {
    return Promise.resolve({
      state: "unknown",
      name: null,
      record: null,
      summary: `${envelope.why}, so the record that counts cannot be looked up. ${upperFirst(facts.where)} shows it; DKIM alone is enough for DMARC.`,
      fix: null,
    });
  }
  return checkSpf(lookUp, {
    domain: envelope.at === "below" ? `${envelope.label}.${domain}` : domain,
    include,
    aligned: true,
  });
}

function dkimOf({ domain, provider, dkim }: DomainToCheck, lookUp: TxtLookUp): Promise<Found> {
  const facts = mailFacts[provider];
  if (!facts) return Promise.resolve(notKnown);
  const place = upperFirst(facts.where);
  if (dkim) {
    const aligned = related(dkim.domain, domain);
    return checkDkim(lookUp, {
      domain: dkim.domain.toLowerCase(),
      selectors: [dkim.selector],
      aligned,
      place,
    });
  }
  return checkDkim(lookUp, { domain, selectors: facts.selectors, aligned: true, place });
}

/**
 * Whether two domains are aligned as DMARC's relaxed mode has it, as far as names alone tell: one is the other or below it. Two
 * names below a third may be, too.
 */
function related(a: string, b: string): boolean {
  const [one, two] = [a.toLowerCase(), b.toLowerCase()];
  return one === two || one.endsWith(`.${two}`) || two.endsWith(`.${one}`);
}

const notKnown: Found = {
  state: "unknown",
  name: null,
  record: null,
  summary: "We do not know from where this provider sends, so it cannot be looked up.",
  fix: null,
};

const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
