import { expect, test } from "vitest";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import { listOwnNotices } from "../notices/own-notices.ts";
import type { BuiltInRole } from "../operations/permissions.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { nextOf, periodOf } from "./queries.ts";
import { changeView, listViews, removeView, saveView } from "./saved-views.ts";
import {
  changeSchedule,
  createSchedule,
  leaveSchedule,
  listSchedules,
  pauseSchedule,
  removeSchedule,
} from "./schedules.ts";
import { reportLimits } from "./vocabulary.ts";
import { scheduleInputSchema } from "./schemas.ts";
import type { ScheduleInput } from "./schemas.ts";
import { inTenant } from "../kernel/db.ts";

const database = await testDatabase();

const codeOf = (made: Promise<unknown>) =>
  made.then(
    () => "allowed",
    (error: unknown) => (error instanceof DomainError ? error.code : error),
  );

async function makeWorld() {
  const tenant = await makeTenant(database);
  const member = async (role: BuiltInRole, unitId?: string): Promise<Ctx> => {
    const { id, email } = await tenant.addMember(role, unitId === undefined ? {} : { unitId });
    return { ...tenant.as(role, unitId), actor: { type: "user", id, name: role, email } };
  };
  return { tenant, member };
}

const view = (name: string, shared = false) =>
  ({ page: "messages", name, query: "?status=failed&range=30d&cursor=abc&open=x", shared }) as const;
const morning: Omit<ScheduleInput, "viewId" | "recipients"> = {
  rhythm: "daily",
  day: null,
  hour: 8,
  timeZone: "Europe/Berlin",
};

test("a view keeps the address without the place in the list, for its maker, or for all who see the page", async () => {
  const { tenant, member } = await makeWorld();
  const owner = await member("owner");
  const operator = await member("operator");
  const made = await saveView(owner, view("Failures"));
  expect(made).toMatchObject({ query: "status=failed&range=30d", own: true, mayChange: true });
  expect((await listViews(operator, { page: "messages" })).data).toEqual([]);
  await changeView(owner, { id: made.id, shared: true });
  expect((await listViews(operator, { page: "messages" })).data).toMatchObject([
    { id: made.id, name: "Failures", by: "owner", own: false, mayChange: false },
  ]);
  expect(await codeOf(changeView(operator, { id: made.id, name: "Mine" }))).toBe("permission_denied");
  expect(await codeOf(removeView(operator, { id: made.id }))).toBe("permission_denied");
  // Finance sees no messages.
  const finance = await member("finance");
  expect(await codeOf(listViews(finance, { page: "messages" }))).toBe("permission_denied");
  expect(await codeOf(saveView(finance, view("Mine")))).toBe("permission_denied");
  expect(await codeOf(changeView(finance, { id: made.id, name: "Mine" }))).toBe("not_found");
  // Somebody of one team shares nothing with the whole organisation.
  const beta = await member("operator", tenant.units.beta);
  expect(await codeOf(saveView(beta, view("Ours", true)))).toBe("permission_denied");
  expect((await listViews(beta, { page: "messages" })).mayShare).toBe(false);
  // Who manages the settings tidies up what is shared, and does not see what is not.
  const secret = await saveView(operator, view("Secret"));
  const administrator = await member("administrator");
  expect(await codeOf(removeView(administrator, { id: secret.id }))).toBe("not_found");
  await removeView(administrator, { id: made.id });
  expect((await listViews(owner, { page: "messages" })).data).toEqual([]);
  const stranger = (await makeTenant(database)).as("owner");
  expect(await codeOf(removeView({ ...stranger, actor: operator.actor }, { id: secret.id }))).toBe(
    "not_found",
  );
});

test("a name is there once a person and page, and there is a most of them", async () => {
  const { member } = await makeWorld();
  const owner = await member("owner");
  const first = await saveView(owner, view("Failures"));
  expect(await codeOf(saveView(owner, view("Failures")))).toBe("conflict");
  await saveView(owner, { ...view("Failures"), page: "overview" });
  await saveView(await member("owner"), view("Failures"));
  const second = await saveView(owner, view("Others"));
  expect(await codeOf(changeView(owner, { id: second.id, name: "Failures" }))).toBe("conflict");
  expect(await changeView(owner, { id: first.id, name: "Failures" })).toMatchObject({ name: "Failures" });
  for (let index = 3; index < reportLimits.views; index++)
    await saveView(owner, view(`View ${String(index)}`));
  expect(await codeOf(saveView(owner, view("One more")))).toBe("conflict");
});

test.each([
  // The hour that clocks leave out is the one after it; the one that they have twice comes once.
  ["daily", null, 2, "Europe/Berlin", "2027-03-27T12:00:00Z", "2027-03-28T01:00:00Z"],
  ["daily", null, 2, "Europe/Berlin", "2027-03-28T01:00:00Z", "2027-03-29T00:00:00Z"],
  ["daily", null, 8, "Europe/Berlin", "2027-03-27T12:00:00Z", "2027-03-28T06:00:00Z"],
  ["daily", null, 2, "Europe/Berlin", "2027-10-30T12:00:00Z", "2027-10-31T01:00:00Z"],
  ["daily", null, 2, "Europe/Berlin", "2027-10-31T01:00:00Z", "2027-11-01T01:00:00Z"],
  ["weekly", 1, 7, "Asia/Kolkata", "2027-01-04T01:30:00Z", "2027-01-11T01:30:00Z"],
  ["weekly", 7, 0, "Pacific/Auckland", "2027-01-01T00:00:00Z", "2027-01-02T11:00:00Z"],
  ["monthly", 1, 6, "America/New_York", "2027-02-01T11:00:00Z", "2027-03-01T11:00:00Z"],
  ["monthly", 28, 6, "UTC", "2027-02-28T06:00:00Z", "2027-03-28T06:00:00Z"],
] as const)("%s on %s at %s in %s: after %s comes %s", async (rhythm, day, hour, timeZone, after, next) => {
  const { system } = (await makeWorld()).tenant;
  const at = await inTenant(system, (tx) => nextOf(tx, { rhythm, day, hour, timeZone }, new Date(after)));
  expect(at.toISOString()).toBe(new Date(next).toISOString());
});

test("a report is about whole days of its time zone, the day of the clock change too, beside as many before it", async () => {
  const { system } = (await makeWorld()).tenant;
  const period = (rhythm: "daily" | "weekly" | "monthly", timeZone: string, due: string) =>
    periodOf(system, { rhythm, timeZone }, new Date(due));
  expect(await period("daily", "Europe/Berlin", "2027-03-29T06:00:00Z")).toEqual({
    before: new Date("2027-03-26T23:00:00Z"),
    from: new Date("2027-03-27T23:00:00Z"),
    to: new Date("2027-03-28T22:00:00Z"),
    first: "28 Mar 2027",
    last: "28 Mar 2027",
  });
  expect(await period("weekly", "UTC", "2027-01-11T06:00:00Z")).toMatchObject({
    first: "4 Jan 2027",
    last: "10 Jan 2027",
  });
  expect(await period("monthly", "America/New_York", "2027-03-01T11:00:00Z")).toMatchObject({
    before: new Date("2027-01-01T05:00:00Z"),
    from: new Date("2027-02-01T05:00:00Z"),
    first: "1 Feb 2027",
    last: "28 Feb 2027",
  });
});

test("a report goes to oneself, to others only from who manages members, and to members only", async () => {
  const { member } = await makeWorld();
  const operator = await member("operator");
  const owner = await member("owner");
  const finance = await member("finance");
  const ownView = await saveView(operator, { ...view("Delivery", true), page: "delivery" });
  const ask = (ctx: Ctx, ...people: Ctx[]) =>
    createSchedule(ctx, {
      viewId: ownView.id,
      ...morning,
      recipients: people.map(({ actor }) => actor.id ?? ""),
    });
  const { id } = await ask(operator, operator);
  expect(await codeOf(ask(operator, operator, owner))).toBe("permission_denied");
  const all = await ask(owner, operator, owner, finance);
  const stranger = await (await makeWorld()).member("owner");
  expect(await codeOf(ask(owner, stranger))).toBe("invalid_request");
  const messages = await saveView(owner, view("Messages"));
  expect(
    await codeOf(
      createSchedule(owner, { viewId: messages.id, ...morning, recipients: [owner.actor.id ?? ""] }),
    ),
  ).toBe("invalid_request");

  // Who made it, who gets it and who manages the settings see it; only who gets it can leave it.
  const seen = async (ctx: Ctx) => (await listSchedules(ctx)).data.map((one) => one.id).sort();
  expect(await seen(operator)).toEqual([id, all.id].sort());
  expect(await seen(owner)).toEqual([id, all.id].sort());
  expect(await seen(finance)).toEqual([all.id]);
  expect(await seen(await member("operator"))).toEqual([]);
  expect(await codeOf(removeSchedule(finance, { id: all.id }))).toBe("permission_denied");
  expect(await codeOf(pauseSchedule(finance, { id, paused: true }))).toBe("not_found");
  await leaveSchedule(finance, { id: all.id });
  expect(await seen(finance)).toEqual([]);
  await leaveSchedule(operator, { id });
  expect((await listSchedules(operator)).data.find((one) => one.id === id)).toMatchObject({ paused: true });
  // A view takes its reports along.
  await removeView(operator, { id: ownView.id });
  expect(await seen(owner)).toEqual([]);
  expect((await listOwnNotices(owner, { limit: 5 })).data).toMatchObject([
    { kind: "report.view_deleted", data: { view: "Delivery", by: "operator" } },
  ]);
  expect((await listOwnNotices(operator, { limit: 5 })).data).toEqual([]);
});

test("who has scheduled reports of another’s view is told when it is no longer shared, and the dialog says how many", async () => {
  const { member } = await makeWorld();
  const owner = await member("owner");
  const operator = await member("operator");
  const page = "delivery";
  const made = await saveView(owner, { ...view("Delivery", true), page });
  for (const ctx of [owner, operator])
    await createSchedule(ctx, { viewId: made.id, ...morning, recipients: [ctx.actor.id ?? ""] });
  expect((await listViews(owner, { page })).data).toMatchObject([{ reports: 2, reportsOfOthers: 1 }]);
  await changeView(owner, { id: made.id, shared: false, query: "channel=sms" });
  expect((await listOwnNotices(operator, { limit: 5 })).data).toMatchObject([
    { kind: "report.view_unshared", data: { view: "Delivery", by: "owner" } },
  ]);
  expect((await listOwnNotices(owner, { limit: 5 })).data).toEqual([]);
  // What the view shows from now on is its maker's.
  expect((await listSchedules(operator)).data).toMatchObject([{ available: false, view: { query: "" } }]);
  expect((await listSchedules(owner)).data).toMatchObject([
    { available: false, view: { query: "" } },
    { available: true, view: { query: "channel=sms" } },
  ]);
  await changeView(owner, { id: made.id, shared: true });
  expect((await listSchedules(operator)).data).toMatchObject([
    { available: true, view: { query: "channel=sms" } },
  ]);
});

test("a report follows the clocks of a place that the database knows, or UTC", async () => {
  const { member } = await makeWorld();
  const owner = await member("owner");
  const { id: viewId } = await saveView(owner, { ...view("Delivery"), page: "delivery" });
  const recipients = [owner.actor.id ?? ""];
  const ask = (timeZone: string) => ({ viewId, ...morning, timeZone, recipients });
  // The database has no summer time for CET, and takes IST for Israel's.
  expect(
    ["Europe/Berlin", "UTC", "Asia/Kolkata", "CET", "IST", "PST"].map(
      (zone) => scheduleInputSchema.safeParse(ask(zone)).success,
    ),
  ).toEqual([true, true, true, false, false, false]);
  // Browsers have zones that it never had.
  const { id } = await createSchedule(owner, ask("Europe/Berlin"));
  expect(await codeOf(createSchedule(owner, ask("SystemV/PST8PDT")))).toBe("invalid_request");
  expect(
    await codeOf(changeSchedule(owner, { id, ...morning, timeZone: "SystemV/PST8PDT", recipients })),
  ).toBe("invalid_request");
});

test("who left a report, or another time of it, is not undone by what was opened before", async () => {
  const { member } = await makeWorld();
  const [owner, operator] = [await member("owner"), await member("operator")];
  const { id: viewId } = await saveView(owner, { ...view("Delivery", true), page: "delivery" });
  const recipients = [owner, operator].map(({ actor }) => actor.id ?? "");
  const { id } = await createSchedule(owner, { viewId, ...morning, recipients });
  const opened = (await listSchedules(owner)).data[0]!;
  await leaveSchedule(operator, { id });
  const late = { id, ...morning, hour: 9, recipients };
  expect(await codeOf(changeSchedule(owner, { ...late, revision: opened.revision }))).toBe(
    "revision_conflict",
  );
  const now = (await listSchedules(owner)).data[0]!;
  expect(now).toMatchObject({ hour: 8, recipients: [{ id: owner.actor.id }] });
  await changeSchedule(owner, { ...late, recipients: [owner.actor.id ?? ""], revision: now.revision });
  expect((await listSchedules(owner)).data).toMatchObject([
    { hour: 9, recipients: [{ id: owner.actor.id }] },
  ]);
});

test("of a view changes what is given, also while somebody else changes it", async () => {
  const { member } = await makeWorld();
  const owner = await member("owner");
  const { id } = await saveView(owner, view("Failures", true));
  await Promise.all([
    changeView(owner, { id, shared: false }),
    changeView(owner, { id, name: "Lost" }),
    changeView(owner, { id, query: "channel=sms" }),
  ]);
  expect((await listViews(owner, { page: "messages" })).data).toMatchObject([
    { name: "Lost", query: "channel=sms", shared: false },
  ]);
});

test("people who leave a report at the same time have all left it", async () => {
  const { member } = await makeWorld();
  const owner = await member("owner");
  const people = await Promise.all(
    (["operator", "developer", "finance"] as const).map((role) => member(role)),
  );
  const { id: viewId } = await saveView(owner, { ...view("Delivery", true), page: "delivery" });
  const recipients = [owner, ...people].map(({ actor }) => actor.id ?? "");
  const { id } = await createSchedule(owner, { viewId, ...morning, recipients });
  await Promise.all(people.map((ctx) => leaveSchedule(ctx, { id })));
  expect((await listSchedules(owner)).data[0]?.recipients).toEqual([
    { id: owner.actor.id, name: expect.any(String) as string },
  ]);
});
