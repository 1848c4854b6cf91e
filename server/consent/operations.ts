import { z } from "zod";
import { mutation, query, restOnly } from "../operations/operation.ts";
import { askConfirmation, getConfirmation } from "./ask-confirmation.ts";
import { decideReview } from "./decide-review.ts";
import { countReviews, listReviews } from "./list-reviews.ts";
import { getConsents, listConsents } from "./list-consents.ts";
import { getWordReplies, updateWordReplies } from "./own-replies.ts";
import { getOwnWords, updateOwnWords } from "./own-words.ts";
import { recordConsentByHand, recordConsents } from "./record-consents.ts";
import {
  confirmationAskInSchema,
  confirmationAskSchema,
  confirmationSchema,
  consentBatchSchema,
  consentByHandSchema,
  consentListSchema,
  consentPolicyStateSchema,
  consentPolicyUpdateSchema,
  consentQuerySchema,
  consentResultsSchema,
  consentsOfAddressSchema,
  ownWordsUpdateSchema,
  reviewDecisionSchema,
  reviewListSchema,
  wordRepliesUpdateSchema,
} from "./schemas.ts";
import { getConsentPolicy, setConsentPolicy } from "./set-policy.ts";

const tag = "Consent";
const inEnvironment = { environmentId: z.uuid() };

/** Who agreed to or opted out of what. */
export const consentOperations = {
  record: restOnly({
    permission: "consent:write",
    method: "POST",
    path: "/v1/consents",
    operationId: "recordConsents",
    idempotencyKey: true,
    errors: ["agent_limit"],
    summary: "Record what recipients agreed to or opted out of",
    description:
      "Up to 1,000 entries, each with a result of its own. What a recipient said last counts, whenever it is reported; of a yes and a no of the same moment, the no. The sandbox has consent of its own; the other environments share theirs, which is recorded with a key of a production environment.",
    tag,
    body: consentBatchSchema,
    answer: { status: 200, schema: consentResultsSchema, description: "A result for each entry" },
    run: (ctx, { body }) =>
      recordConsents(ctx, { environmentId: ctx.environmentId, consents: body.consents }),
  }),
  ofAddress: query({
    permission: "consent:read",
    input: consentQuerySchema.extend(inEnvironment),
    run: getConsents,
    rest: {
      method: "GET",
      path: "/v1/consents",
      operationId: "getConsents",
      summary: "Look up the consent of an address",
      description:
        "Where the address stands by channel, class and region, whether a message would be sent, and what was said, newest first.",
      tag,
      query: consentQuerySchema,
      input: ({ environmentId }, parts) => ({ ...parts.query, environmentId }),
      answer: { status: 200, schema: consentsOfAddressSchema, description: "Standing and history" },
    },
  }),
  askConfirmation: mutation({
    permission: "consent:write",
    input: confirmationAskInSchema,
    run: askConfirmation,
    rest: {
      method: "POST",
      path: "/v1/consents/confirmations",
      operationId: "askConfirmation",
      idempotencyKey: true,
      errors: ["agent_limit", "conflict", "idempotency_mismatch", "unknown_application"],
      summary: "Ask an address to confirm an opt-in",
      description:
        "Double opt-in: a message asks whether the recipient agrees, by a link (e-mail) or one word (SMS, WhatsApp). Once they do, the opt-in is recorded with this evidence and `consent.opted_in` is delivered. An address has at most one open confirmation for a class: asking again within an hour answers with it and sends nothing; at most 3 messages a day go to an address. Opt-outs of before do not stop the message; a suppressed address gets none (409). On WhatsApp only within 24 hours of the recipient's last message (409).",
      tag,
      body: confirmationAskSchema,
      input: ({ environmentId }, { body }) => ({ ...body, environmentId }),
      answer: {
        status: 200,
        schema: confirmationSchema,
        description: "The confirmation, `pending` at first",
      },
    },
  }),
  confirmation: query({
    permission: "consent:read",
    input: z.strictObject({ ...inEnvironment, id: z.uuid() }),
    run: getConfirmation,
    rest: {
      method: "GET",
      path: "/v1/consents/confirmations/{id}",
      operationId: "getConfirmation",
      summary: "Look up a confirmation",
      tag,
      params: z.object({ id: z.uuid() }),
      input: ({ environmentId }, { params }) => ({ environmentId, id: params.id }),
      answer: { status: 200, schema: confirmationSchema, description: "The confirmation and its state" },
    },
  }),
  list: query({ permission: "consent:read", input: consentListSchema, run: listConsents }),
  recordByHand: mutation({
    permission: "consent:write",
    input: consentByHandSchema,
    run: recordConsentByHand,
  }),
  reviews: query({ permission: "consent:read", input: reviewListSchema, run: listReviews }),
  /** 100 means that many or more. */
  reviewCount: query({
    permission: "consent:write",
    input: z.strictObject(inEnvironment),
    run: countReviews,
  }),
  decideReview: mutation({
    permission: "consent:write",
    input: reviewDecisionSchema,
    run: decideReview,
  }),
  policy: query({
    permission: "settings:manage",
    run: getConsentPolicy,
    rest: {
      method: "GET",
      path: "/v1/consent-policy",
      operationId: "getConsentPolicy",
      summary: "Get the consent policy",
      description:
        "What each class requires before a message is sent, as far as it differs from the default. The same in every environment. Needs a key of the whole organisation.",
      tag,
      answer: { status: 200, schema: consentPolicyStateSchema, description: "The overrides" },
    },
  }),
  setPolicy: mutation({
    permission: "settings:manage",
    input: consentPolicyUpdateSchema,
    run: setConsentPolicy,
    rest: {
      method: "PUT",
      path: "/v1/consent-policy",
      operationId: "updateConsentPolicy",
      errors: ["conflict", "revision_conflict"],
      summary: "Change the consent policy",
      description:
        "Replaces all overrides; the most specific one for a message holds. Takes effect within two seconds. Needs a key of the whole organisation in a production environment.",
      tag,
      body: consentPolicyUpdateSchema,
      answer: { status: 200, schema: consentPolicyStateSchema, description: "The overrides as they are now" },
    },
  }),
  words: query({ permission: "settings:manage", run: getOwnWords }),
  replies: query({ permission: "settings:manage", run: getWordReplies }),
  updateReplies: mutation({
    permission: "settings:manage",
    input: wordRepliesUpdateSchema,
    run: updateWordReplies,
  }),
  updateWords: mutation({
    permission: "settings:manage",
    input: ownWordsUpdateSchema,
    run: updateOwnWords,
  }),
};
