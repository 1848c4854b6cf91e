import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createApiKey } from "../access/create-api-key.ts";
import { DomainError } from "../kernel/errors.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { restClient } from "../testing/rest-client.ts";
import type { Problem } from "../testing/rest-client.ts";
import { createTemplate } from "./create-template.ts";
import { duplicateTemplate } from "./duplicate-template.ts";
import { getTemplate } from "./get-template.ts";
import { reviewVersion } from "./review-version.ts";
import { templateCreateSchema } from "./schemas.ts";
import type { Template, TemplateCreate } from "./schemas.ts";
import { updateTemplate } from "./update-template.ts";

const database = await testDatabase();
const rest = restClient(database.web);
const tenant = await makeTenant(database);
const { key } = await tenant.makeKey("staging", { role: "developer" });
const author = tenant.as("template_author", tenant.units.alpha);
const approver = tenant.as("release_manager", tenant.units.alpha);

let regions = 0;
/** Each for an audience of its own. */
const nextRegion = () => {
  regions += 1;
  return String.fromCharCode(65 + Math.floor(regions / 26), 65 + (regions % 26));
};
const input = (more: Partial<TemplateCreate> = {}): TemplateCreate =>
  templateCreateSchema.parse({
    application: "shop",
    name: `text-${randomBytes(4).toString("hex")}`,
    notificationType: "marketing",
    notificationSubtype: "promotion",
    channel: "sms",
    region: nextRegion(),
    language: "en",
    body: "Hello",
    ...more,
  });
const drafted = { kind: "ai_drafted" as const, model: "gpt-test" };
const next = (template: Template, body: string, more: Partial<TemplateCreate> = {}) =>
  updateTemplate(author, { id: template.id, body, metadata: {}, variables: [], ...more });

async function refusal(work: Promise<unknown>): Promise<DomainError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof DomainError) return error;
  throw new Error("it was not refused", { cause: error });
}

describe("a version keeps who wrote it", () => {
  it("as its author says, in the portal and over REST, with the model", async () => {
    const own = await createTemplate(author, input());
    expect(own).toMatchObject({ provenance: { kind: "human", model: null }, review: null });
    const template = await createTemplate(author, input({ provenance: drafted }));
    expect(template).toMatchObject({
      provenance: drafted,
      versions: [{ provenance: drafted, review: null }],
    });
    const json = { ...input(), provenance: { kind: "ai_edited", model: "other" } };
    const answer = await rest.post<Template>("/v1/templates", { key, json });
    expect(answer).toMatchObject({
      status: 201,
      body: { provenance: { kind: "ai_edited", model: "other" } },
    });
    const listed = await rest.get<Template>(`/v1/templates/${answer.body.id}`, { key });
    expect(listed.body.provenance).toEqual(answer.body.provenance);
  });

  it("and a wrong one is refused", async () => {
    const json = { ...input(), provenance: { kind: "robot" } };
    expect(await rest.post<Problem>("/v1/templates", { key, json })).toMatchObject({ status: 422 });
  });

  it("so that a change by a person after AI is AI's too, until somebody has reviewed it", async () => {
    const template = await createTemplate(author, input({ provenance: drafted }));
    const changed = await next(template, "Hello there", { provenance: { kind: "human" } });
    expect(changed.provenance).toEqual({ kind: "ai_edited", model: "gpt-test" });
    await reviewVersion(approver, { id: template.id, version: 2 });
    expect((await next(template, "Hello again")).provenance).toEqual({ kind: "human", model: null });
  });

  it("and so does a copy", async () => {
    const template = await createTemplate(author, input({ provenance: drafted }));
    const copy = await duplicateTemplate(author, { id: template.id, region: nextRegion() });
    expect(copy.provenance).toEqual(drafted);
  });
});

describe("a review", () => {
  it("is for whoever has not saved the version, also of two people with one name, and not with a key of theirs", async () => {
    const [one, other] = [await tenant.addMember("owner"), await tenant.addMember("owner")];
    const as = (member: typeof one) => ({
      ...tenant.as("owner"),
      actor: { ...member, type: "user" as const, name: "Sam" },
    });
    const own = await createTemplate(as(one), input({ provenance: drafted }));
    expect(own.may).toEqual({ review: false });
    expect((await getTemplate(as(other), { id: own.id })).may).toEqual({ review: true });
    expect((await getTemplate(author, { id: own.id })).may).toEqual({ review: false });
    expect((await reviewVersion(as(other), { id: own.id, version: 1 })).may).toEqual({ review: false });

    const { key: ofOne } = await createApiKey(as(one), {
      name: "Texts",
      environmentId: tenant.environments.staging,
      role: "developer",
    });
    const json = input({ provenance: drafted });
    const { body } = await rest.post<Template>("/v1/templates", { key: ofOne, json });
    expect(body.may).toEqual({ review: false });
    expect((await getTemplate(as(one), { id: body.id })).may).toEqual({ review: false });
    expect((await refusal(reviewVersion(as(one), { id: body.id, version: 1 }))).code).toBe(
      "permission_denied",
    );
    expect((await reviewVersion(as(other), { id: body.id, version: 1 })).review).toMatchObject({ by: "Sam" });
  });

  it("is a person's, once, and is audited", async () => {
    const template = await createTemplate(author, input({ provenance: drafted }));
    const reviewed = await reviewVersion(approver, { id: template.id, version: 1 });
    expect(reviewed.review).toMatchObject({ by: approver.actor.name });
    expect((await getTemplate(author, { id: template.id })).versions[0]?.review).toEqual(reviewed.review);
    expect(await refusal(reviewVersion(approver, { id: template.id, version: 1 }))).toMatchObject({
      code: "conflict",
    });
    const { rows } = await database.owner.query(
      "SELECT action FROM audit_events WHERE tenant_id = $1 AND target_id = $2 AND action = 'template.version_reviewed'",
      [tenant.tenantId, template.id],
    );
    expect(rows).toHaveLength(1);
  });

  it("is not its author's, nor that of somebody who approves no promotions, nor of what a person wrote", async () => {
    const both = tenant.as("owner");
    const own = await createTemplate(both, input({ provenance: drafted }));
    expect(await refusal(reviewVersion(both, { id: own.id, version: 1 }))).toMatchObject({
      code: "permission_denied",
    });
    expect(await refusal(reviewVersion(author, { id: own.id, version: 1 }))).toMatchObject({
      code: "permission_denied",
    });
    const human = await createTemplate(author, input());
    expect(await refusal(reviewVersion(approver, { id: human.id, version: 1 }))).toMatchObject({
      code: "conflict",
    });
    expect(await refusal(reviewVersion(approver, { id: human.id, version: 9 }))).toMatchObject({
      code: "not_found",
    });
  });
});
