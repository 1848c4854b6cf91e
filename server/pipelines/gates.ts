import { seenByAi } from "../content-checks/schemas.ts";
import { versionKey } from "../sending/template-tests.ts";
import { approvalKey } from "../templates/whatsapp-approvals.ts";
import type { Gates } from "../tenancy/schemas.ts";
import type { GateResult } from "./schemas.ts";

/** A version to be promoted, as gates see it. */
export interface GatedVersion {
  templateId: string;
  version: number;
  checkedBy: readonly string[];
  /** Moderation left a blocking finding. */
  blocked: boolean;
  /** AI drafted or edited it, and no person has reviewed it. */
  unreviewed: boolean;
  /** The approved WhatsApp template that it names; null for none, e.g. a session message or another channel. */
  templateName: string | null;
  templateLanguage: string;
  notificationType: string;
}

/** Everything that gates depend on, besides the approvals. */
export interface GateFacts {
  versions: readonly GatedVersion[];
  /** Promotions into production require more. */
  production: boolean;
  /** The tenant allows versions in production that no AI service has seen. */
  allowWithoutAi: boolean;
  /** By approvalKey. */
  whatsapp: ReadonlyMap<
    string,
    { status: string; reason: string | null; category?: string | null; nextCategory?: string | null }
  >;
  /** Whether a type is of the class marketing. */
  isMarketing: (version: Pick<GatedVersion, "notificationType">) => boolean;
  /** By versionKey. */
  tested: ReadonlySet<string>;
}

const shownTemplates = 50;
const ids = (versions: readonly GatedVersion[]) =>
  versions.slice(0, shownTemplates).map((version) => version.templateId);
const count = (number: number, one: string, many: string) => `${String(number)} ${number === 1 ? one : many}`;

function approvals(needed: number, given: number): GateResult {
  const missing = needed - given;
  return {
    gate: "approvals",
    state: missing > 0 ? "waiting" : "passed",
    detail:
      missing > 0
        ? `${count(missing, "more person", "more people")} must approve, not counting who requested it.`
        : `${count(given, "person has", "people have")} approved.`,
    templates: [],
  };
}

function moderation(facts: GateFacts): GateResult {
  const blocked = facts.versions.filter((version) => version.blocked);
  if (blocked.length > 0) {
    return {
      gate: "moderation",
      state: "failed",
      detail: `Moderation found something in ${count(blocked.length, "version", "versions")} that must not be sent. Save a version without it.`,
      templates: ids(blocked),
    };
  }
  const needsAi = facts.production && !facts.allowWithoutAi;
  const unseen = facts.versions.filter(({ checkedBy }) =>
    needsAi ? !seenByAi(checkedBy) : checkedBy.length === 0,
  );
  if (unseen.length > 0) {
    return {
      gate: "moderation",
      state: "failed",
      detail: needsAi
        ? `${count(unseen.length, "version was", "versions were")} saved without the AI check, which production asks for. Save again with the AI service, or allow this in the settings of the organisation.`
        : `${count(unseen.length, "version was", "versions were")} never moderated. Save again.`,
      templates: ids(unseen),
    };
  }
  return {
    gate: "moderation",
    state: "passed",
    detail: "Every version has passed moderation.",
    templates: [],
  };
}

function whatsappApproval(facts: GateFacts): GateResult {
  const refused: GatedVersion[] = [];
  const waiting: GatedVersion[] = [];
  for (const version of facts.versions) {
    if (version.templateName === null) continue;
    const status = facts.whatsapp.get(
      approvalKey({
        templateId: version.templateId,
        templateName: version.templateName,
        language: version.templateLanguage,
      }),
    )?.status;
    if (status === "rejected" || status === "paused") refused.push(version);
    else if (status !== "approved") waiting.push(version);
  }
  if (refused.length > 0) {
    return {
      gate: "whatsappApproval",
      state: "failed",
      detail: `${count(refused.length, "WhatsApp template was", "WhatsApp templates were")} rejected or paused by the provider.`,
      templates: ids(refused),
    };
  }
  const named = facts.versions.some(({ templateName }) => templateName !== null);
  return {
    gate: "whatsappApproval",
    state: waiting.length > 0 ? "waiting" : "passed",
    detail:
      waiting.length > 0
        ? `${count(waiting.length, "WhatsApp template is", "WhatsApp templates are")} not approved by the provider yet.`
        : named
          ? "Every WhatsApp template in it is approved by the provider."
          : "Nothing in it needs an approval by WhatsApp.",
    templates: ids(waiting),
  };
}

function whatsappCategory(facts: GateFacts): GateResult {
  const stricter = facts.versions.filter((version) => {
    const { templateId, templateName, templateLanguage: language } = version;
    if (templateName === null || facts.isMarketing(version)) return false;
    const known = facts.whatsapp.get(approvalKey({ templateId, templateName, language }));
    return known?.category === "marketing" || known?.nextCategory === "marketing";
  });
  return {
    gate: "whatsappCategory",
    state: stricter.length > 0 ? "failed" : "passed",
    detail:
      stricter.length > 0
        ? `WhatsApp counts ${count(stricter.length, "template", "templates")} as marketing, or will, ${stricter.length === 1 ? "whose type is" : "whose types are"} not. It would reach only people who may get marketing. Reword it and have it approved again, ask WhatsApp for a review, or use it for a type of the class marketing.`
        : "WhatsApp counts no template in it as marketing whose type is not.",
    templates: ids(stricter),
  };
}

function testSend(facts: GateFacts): GateResult {
  const untested = facts.versions.filter(
    ({ templateId, version }) => !facts.tested.has(versionKey(templateId, version)),
  );
  return {
    gate: "testSend",
    state: untested.length > 0 ? "waiting" : "passed",
    detail:
      untested.length > 0
        ? `${count(untested.length, "version was", "versions were")} not sent in a test yet; the sandbox does not count.`
        : "Every version was sent in a test.",
    templates: ids(untested),
  };
}

function humanReview(facts: GateFacts): GateResult {
  const unreviewed = facts.versions.filter((version) => version.unreviewed);
  return {
    gate: "humanReview",
    state: unreviewed.length > 0 ? "waiting" : "passed",
    detail:
      unreviewed.length > 0
        ? `${count(unreviewed.length, "version was", "versions were")} written or changed by AI and reviewed by nobody yet. Somebody other than who saved it reviews it on the template's page.`
        : "A person wrote or reviewed every version.",
    templates: ids(unreviewed),
  };
}

/** Results of a stage's gates for a promotion; gates that the stage does not have are left out. */
export function evaluateGates(gates: Gates, given: number, facts: GateFacts): GateResult[] {
  return [
    ...(gates.approvals > 0 ? [approvals(gates.approvals, given)] : []),
    ...(gates.moderation ? [moderation(facts)] : []),
    ...(gates.whatsappApproval ? [whatsappApproval(facts)] : []),
    ...(gates.whatsappCategory ? [whatsappCategory(facts)] : []),
    ...(gates.testSend ? [testSend(facts)] : []),
    ...(gates.humanReview ? [humanReview(facts)] : []),
  ];
}

export const allPassed = (results: readonly GateResult[]) =>
  results.every((result) => result.state === "passed");
