import { expect, test } from "vitest";
import { newId } from "../kernel/ids.ts";
import { createTemplate } from "../templates/create-template.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { testDatabase } from "../testing/database.ts";
import { refusal } from "../testing/refusal.ts";
import { makeSendingWorld } from "../testing/sending-world.ts";
import { archiveApplication, updateApplication } from "./change-application.ts";
import { deleteEnvironment, updateEnvironment } from "./change-environment.ts";
import { deleteNotificationType, updateNotificationType } from "./change-notification-type.ts";
import { deleteUnit, updateUnit } from "./change-unit.ts";
import { createEnvironment } from "./create-environment.ts";
import { createNotificationType } from "./create-notification-type.ts";
import { createUnit } from "./create-unit.ts";
import { getDependents } from "./dependents.ts";
import { updateOrganisation } from "./update-organisation.ts";

const database = await testDatabase();
const world = await makeSendingWorld(database);
const { tenant } = world;
const owner = tenant.as("owner");
const kindsOf = async (input: Parameters<typeof getDependents>[1]) =>
  (await getDependents(owner, input)).data.map(({ kind }) => kind);

const lastAudit = async (action: string) => {
  const { rows } = await database.owner.query<{ data: unknown }>(
    "SELECT data FROM audit_events WHERE tenant_id = $1 AND action = $2 ORDER BY id DESC LIMIT 1",
    [tenant.tenantId, action],
  );
  return rows[0]?.data;
};

test("names change, short names and what requests carry stay, and both names are in the audit trail", async () => {
  await updateOrganisation(owner, { name: "Renamed & Sons" });
  await updateUnit(owner, { id: tenant.units.beta, name: "Beta two" });
  await updateEnvironment(owner, { id: tenant.environments.staging, name: "Trial" });
  await updateApplication(owner, {
    id: tenant.otherApplication.id,
    title: "Help",
    defaultRegion: "AT",
    defaultLanguage: "de",
  });
  const catalogue = await getCatalogue(owner);
  expect(catalogue.tenant).toMatchObject({ name: "Renamed & Sons", slug: tenant.slug });
  expect(catalogue.units).toContainEqual({ id: tenant.units.beta, slug: "beta", name: "Beta two" });
  expect(catalogue.environments).toContainEqual({
    id: tenant.environments.staging,
    slug: "staging",
    name: "Trial",
    kind: "nonproduction",
  });
  expect(catalogue.applications.find(({ name }) => name === "desk")).toMatchObject({
    title: "Help",
    defaultRegion: "AT",
    defaultLanguage: "de",
  });
  expect(await lastAudit("unit.updated")).toMatchObject({
    before: { name: "Beta" },
    after: { name: "Beta two" },
  });
  expect(await lastAudit("tenant.renamed")).toMatchObject({ after: { name: "Renamed & Sons" } });
});

test("a team that is used is not deleted, and says by what; an empty one goes", async () => {
  await tenant.addMember("developer", { unitId: tenant.units.alpha });
  const refused = await refusal(deleteUnit(owner, { id: tenant.units.alpha }));
  expect(refused.code).toBe("conflict");
  expect(refused.extra.dependents).toEqual([
    { kind: "applications", count: 1 },
    { kind: "members", count: 1 },
  ]);
  expect(await kindsOf({ kind: "unit", id: tenant.units.alpha })).toEqual(["applications", "members"]);
  const { id } = await createUnit(owner, { slug: "empty", name: "Empty" });
  expect(await kindsOf({ kind: "unit", id })).toEqual([]);
  await deleteUnit(owner, { id });
  expect((await getCatalogue(owner)).units.map((unit) => unit.slug)).not.toContain("empty");
  expect((await refusal(deleteUnit(owner, { id }))).code).toBe("not_found");
});

test("the sandbox and an environment that was used stay; an unused one goes", async () => {
  const { sandbox, production } = tenant.environments;
  expect((await refusal(deleteEnvironment(owner, { id: sandbox }))).code).toBe("conflict");
  await world.addTwilio("https://8.8.8.8");
  await tenant.makeKey("production");
  await world.send();
  const refused = await refusal(deleteEnvironment(owner, { id: production }));
  const kinds = (refused.extra.dependents as { kind: string }[]).map(({ kind }) => kind);
  expect(kinds).toEqual(expect.arrayContaining(["pipelines", "apiKeys", "templates", "messages"]));
  const { id } = await createEnvironment(owner, { slug: "spare", name: "Spare", kind: "nonproduction" });
  await deleteEnvironment(owner, { id });
  expect((await getCatalogue(owner)).environments.map(({ slug }) => slug)).not.toContain("spare");
});

test("a type keeps the subtypes that are used, and goes when nothing is for it", async () => {
  const order = (await getCatalogue(owner)).notificationTypes.find(({ type }) => type === "order")!;
  const change = (subtypes: string[]) =>
    updateNotificationType(owner, { id: order.id, class: "transactional", subtypes });
  await change([...order.subtypes, "refund"]);
  const refused = await refusal(change(["refund"]));
  expect(refused.errors).toMatchObject([{ pointer: "/subtypes", code: "used" }]);
  expect(refused.errors[0]?.detail).toContain("order_status");
  await change(order.subtypes);
  expect((await refusal(deleteNotificationType(owner, { id: order.id }))).extra.dependents).toMatchObject([
    { kind: "templates" },
  ]);
  const { id } = await createNotificationType(owner, { type: "spare", class: "service", subtypes: ["x"] });
  await deleteNotificationType(owner, { id });
  expect((await getCatalogue(owner)).notificationTypes.map(({ type }) => type)).not.toContain("spare");
});

test("what somebody else has changed of a type since it was read is not replaced by what was read", async () => {
  const { id } = await createNotificationType(owner, { type: "two", class: "service", subtypes: ["a"] });
  const read = { class: "service" as const, subtypes: ["a"] };
  await updateNotificationType(owner, { id, class: "marketing", subtypes: ["a", "b"], expected: read });
  const late = { id, class: read.class, subtypes: ["a", "c"] };
  expect((await refusal(updateNotificationType(owner, { ...late, expected: read }))).code).toBe(
    "revision_conflict",
  );
  const typeNow = async () =>
    (await getCatalogue(owner)).notificationTypes.find(({ type }) => type === "two");
  expect(await typeNow()).toMatchObject({ class: "marketing", subtypes: ["a", "b"] });
  // Without what was read, what is given holds.
  await updateNotificationType(owner, late);
  expect(await typeNow()).toMatchObject({ class: "service", subtypes: ["a", "c"] });
});

test("of an application changes what is given: two people who change different fields keep both", async () => {
  const { id } = tenant.application;
  const before = (await getCatalogue(owner)).applications.find((each) => each.id === id)!;
  await updateApplication(owner, { id, defaultRegion: "FR" });
  await updateApplication(owner, { id, title: "Store" });
  expect((await getCatalogue(owner)).applications.find((each) => each.id === id)).toMatchObject({
    title: "Store",
    defaultRegion: "FR",
    defaultLanguage: before.defaultLanguage,
  });
  const { title, defaultRegion, defaultLanguage } = before;
  await updateApplication(owner, { id, title, defaultRegion, defaultLanguage });
});

test("an archived application sends nothing and gets no new template; taken back it does both", async () => {
  const { id } = tenant.application;
  const template = () =>
    createTemplate(owner, {
      application: "shop",
      name: `t-${newId().slice(-8)}`,
      notificationType: "order",
      notificationSubtype: "receipt",
      channel: "sms",
      body: "Paid.",
      metadata: {},
      variables: [],
    });
  await archiveApplication(owner, { id, archived: true });
  expect((await getCatalogue(owner)).applications.find((each) => each.id === id)?.archived).toBe(true);
  expect((await refusal(world.send())).code).toBe("unknown_application");
  expect((await refusal(template())).code).toBe("unknown_application");
  await archiveApplication(owner, { id, archived: false });
  await world.send();
  await template();
  expect(await lastAudit("application.restored")).toEqual({
    name: "shop",
    before: { archived: true },
    after: { archived: false },
  });
});

test("who manages one team changes its applications and nothing else", async () => {
  const beta = tenant.as("administrator", tenant.units.beta);
  await updateApplication(beta, {
    id: tenant.otherApplication.id,
    title: "Ours",
    defaultRegion: "DE",
    defaultLanguage: "en",
  });
  for (const attempt of [
    () => updateOrganisation(beta, { name: "Taken" }),
    () => updateUnit(beta, { id: tenant.units.beta, name: "X" }),
    () => deleteUnit(beta, { id: tenant.units.beta }),
    () => updateEnvironment(beta, { id: tenant.environments.staging, name: "X" }),
    () => deleteEnvironment(beta, { id: tenant.environments.staging }),
    () => archiveApplication(beta, { id: tenant.application.id, archived: true }),
    () => getDependents(beta, { kind: "application", id: tenant.application.id }),
  ]) {
    expect((await refusal(attempt())).code).toBe("not_found");
  }
});
