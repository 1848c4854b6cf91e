import { ledgerOf } from "../consent/ledger-place.ts";
import { recordImportedConsents } from "../consent/record-imported.ts";
import type { ImportedConsent } from "../consent/record-imported.ts";
import { consentLimits } from "../consent/vocabulary.ts";
import { authorize } from "../operations/authorize.ts";
import type { NotificationClass } from "../tenancy/schemas.ts";
import type { CellProblem, Cells, ImportKind } from "./kinds.ts";
import { channelNames, isStorable, readRecipient, readRegion, readTime } from "./read-cells.ts";

const states = new Map<string, ImportedConsent["state"]>([
  ...[
    ...["opted_in", "opted in", "opt-in", "optin", "opt in", "in", "yes", "y", "true", "1", "ja"],
    "subscribed",
  ].map((word) => [word, "opted_in"] as const),
  ...[
    ...["opted_out", "opted out", "opt-out", "optout", "opt out", "out", "no", "n", "false", "0", "nein"],
    ...["unsubscribed", "stop"],
  ].map((word) => [word, "opted_out"] as const),
]);
const classes = new Map<string, NotificationClass>(
  (["authentication", "transactional", "service", "marketing"] as const).map((name) => [name, name]),
);
const everything = new Set(["all", "every", "any", "*", "alle"]);

/** Entries of the consent ledger. */
export const consentKind: ImportKind<ImportedConsent> = {
  permission: "consent:write",
  authorize: async (ctx, environmentId) => {
    const { sandbox } = await ledgerOf(ctx, "consent:write", environmentId);
    // The addresses of a whole file are of every team.
    authorize(ctx, "consent:write", { environmentId });
    return { sandbox };
  },
  mayEndEarly: false,
  names: {
    address: [
      ...[
        "address",
        "recipient",
        "email",
        "emailaddress",
        "mail",
        "phone",
        "phonenumber",
        "mobile",
        "number",
      ],
      ...[
        "adresse",
        "empfanger",
        "telefon",
        "telefonnummer",
        "handy",
        "handynummer",
        "mobilnummer",
        "rufnummer",
      ],
      ...["correo", "telefono", "courriel", "telephone", "indirizzo"],
    ],
    channel: ["channel", "medium", "kanal", "canal", "canale"],
    state: [
      "state",
      "status",
      "consent",
      "optin",
      "optinstatus",
      "einwilligung",
      "zustimmung",
      "estado",
      "statut",
    ],
    class: ["class", "messageclass", "klasse", "clase", "classe"],
    region: ["region", "country", "countrycode", "land", "landercode", "pais", "pays", "paese"],
    at: ["at", "date", "time", "timestamp", "datetime", "datum", "zeit", "zeitpunkt", "fecha", "data"],
    evidence: ["evidence", "proof", "nachweis", "beleg", "prueba", "preuve", "prova"],
  },
  complain: ({ columns, constants }) => {
    const given = (name: "channel" | "state") => columns.includes(name) || constants[name] !== undefined;
    if (!columns.includes("address")) return "Assign the column with the address.";
    if (!given("channel")) return "Assign the column with the channel, or choose one for every row.";
    if (!given("state")) return "Assign the column with opt-in or opt-out, or choose one for every row.";
    if (constants.channel !== undefined && !channelNames.has(constants.channel)) return "Unknown channel.";
    if (constants.state !== undefined && !states.has(constants.state))
      return "A recipient can opt in or out.";
    if (constants.class !== undefined && !classes.has(constants.class)) return "Unknown class.";
    if (constants.region !== undefined && readRegion(constants.region) === null)
      return "A region has two letters, such as DE.";
    return null;
  },
  read: (cells, { constants, now }) => {
    const problems: CellProblem[] = [];
    const problem = (target: string, code: string, detail: string) => {
      problems.push({ target, code, detail });
    };
    const textOf = (target: "state" | "class" | "region") =>
      cells.get(target)?.[0]?.text ?? constants[target];

    const { channel, address } = readRecipient(cells, constants, problems);

    const word = textOf("state")?.toLowerCase();
    const state = word === undefined ? undefined : states.get(word);
    if (!state) problem("state", "invalid_state", "Write opted_in or opted_out.");

    const classText = textOf("class")?.toLowerCase();
    const all = classText === undefined || everything.has(classText);
    const of = all ? null : classes.get(classText);
    if (of === undefined)
      problem("class", "invalid_class", "Write authentication, transactional, service, marketing or all.");

    const regionText = textOf("region");
    const allRegions = regionText === undefined || everything.has(regionText.toLowerCase());
    const region = allRegions ? null : readRegion(regionText);
    if (!allRegions && region === null) problem("region", "invalid_region", "Write two letters, such as DE.");

    const when = cells.get("at")?.[0]?.text;
    const at = when === undefined ? undefined : readTime(when);
    if (at === null)
      problem("at", "invalid_time", "Write a date such as 2026-03-31, with a time if there is one.");
    else if (at && at.getTime() > now.getTime() + 86_400_000)
      problem("at", "in_the_future", "This is in the future.");

    const evidence = evidenceOf(cells);
    if (typeof evidence === "string") problem("evidence", "too_long", evidence);
    else if (state === "opted_in" && Object.keys(evidence).length === 0)
      problem("evidence", "evidence_missing", "An opt-in needs evidence in its row: how you know.");

    if (problems.length > 0 || !channel || !state || address === null || of === undefined) return problems;
    return {
      channel,
      address,
      region,
      class: of,
      state,
      at: at && at < now ? at : null,
      evidence: typeof evidence === "string" ? {} : evidence,
    };
  },
  mark: ({ channel, address, region, class: of, state, at }) => {
    // With a moment an entry is known by it, without one by what was said last.
    const dated = at === null ? "" : `${state} ${at.toISOString()}`;
    return {
      names: [JSON.stringify([channel, address, region, of, dated])],
      says: state === "opted_in" ? 1 : 2,
    };
  },
  after: (said, says) => ({ outcome: said === says ? "unchanged" : "created", says }),
  write: async (ctx, tx, { sandbox, dry, rows }) => {
    const outcomes = await recordImportedConsents(ctx, tx, { sandbox, dry, consents: rows });
    return outcomes.map((outcome) => (outcome === "recorded" ? "created" : "unchanged"));
  },
};

/** The evidence of a row, by the names of its columns; or why it is none. */
function evidenceOf(cells: Cells): Record<string, string> | string {
  const names = new Set<string>();
  const pairs = (cells.get("evidence") ?? []).flatMap(({ name, text }) => {
    const kept = pairsOf(text);
    if (kept) return kept;
    // Columns of one name are told apart by their number.
    const first = name.slice(0, 60).toWellFormed() || "evidence";
    let own = first;
    for (let number = 2; names.has(own); number++) own = `${first} ${String(number)}`;
    names.add(own);
    return [[own, text] as const];
  });
  if (pairs.length > consentLimits.evidencePairs)
    return `Evidence may have ${String(consentLimits.evidencePairs)} parts.`;
  if (pairs.some(([name, text]) => name.length > 64 || text.length > consentLimits.evidenceText))
    return `Evidence may have ${String(consentLimits.evidenceText)} characters.`;
  return Object.fromEntries(pairs);
}

/** What an export writes: evidence as it is kept. */
function pairsOf(text: string): (readonly [string, string])[] | null {
  if (!text.startsWith("{")) return null;
  try {
    const pairs = Object.entries(JSON.parse(text) as object);
    return pairs.every((pair): pair is [string, string] => pair.every(isStorable)) ? pairs : null;
  } catch {
    return null;
  }
}
