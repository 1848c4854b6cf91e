import { afterAll, expect, test } from "vitest";
import { acceptInvitation } from "../access/accept-invitation.ts";
import { env } from "../kernel/env.ts";
import { newId } from "../kernel/ids.ts";
import { getTimeline } from "../sending/get-timeline.ts";
import { listNotifications } from "../sending/list-notifications.ts";
import { testDatabase } from "../testing/database.ts";
import { startMailServer } from "../testing/mail-server.ts";
import { pngOf } from "../testing/pictures.ts";
import { makeSendingWorld } from "../testing/sending-world.ts";
import { setLogo, updateBranding } from "../workspace/branding.ts";
import { updateBrandingSchema } from "../workspace/schemas.ts";
import { inviteAgain, inviteMember } from "./invite-member.ts";
import { showInvitation } from "./show-invitation.ts";

const database = await testDatabase();
const mail = await startMailServer();
afterAll(() => mail.close());

async function worldWithMail() {
  const world = await makeSendingWorld(database);
  const smtp = await world.addSmtp(mail.port, { name: "Our mail server" });
  await world.addRule("production", [[smtp]], { channel: "email" });
  const { id, email } = await world.tenant.addMember("owner");
  const owner = {
    ...world.tenant.as("owner"),
    actor: { type: "user" as const, id, email, name: 'Olga <b>"O" & Co' },
  };
  return { ...world, owner };
}
const wanted = (unitId: string | null = null) => ({
  email: `${newId()}@people.example`,
  name: "Mia",
  assignments: [{ role: "finance", unitId }],
});
const tokenOf = (link: string) => link.slice(link.indexOf("#") + 1);
/** The mail to an address, without the line breaks that its encoding adds. */
const received = (email: string) =>
  mail.received.filter(({ to }) => to.includes(email)).map(({ raw }) => raw.replaceAll(/=\r?\n/g, ""));

test("an invitation goes out through the organisation's own e-mail, and its link works", async () => {
  const { owner, runJobs, tenant } = await worldWithMail();
  const input = wanted();
  const { link, delivery } = await inviteMember(owner, input);
  expect(delivery).toMatchObject({ by: "email", connection: "Our mail server" });
  await runJobs();
  const [raw = ""] = received(input.email);
  const [, token] =
    /invitation#(inv_[\w-]{43})/.exec(raw.replaceAll("=3D", "=").replaceAll("=23", "#")) ?? [];
  expect(token).toBe(tokenOf(link));
  // What people are called is text, wherever it stands.
  const html = raw.slice(raw.indexOf("<!doctype html>"));
  expect(html).not.toContain("<b>");
  expect(html).toContain("&lt;b&gt;");
  await acceptInvitation(database.web, {
    token: token!,
    password: "correct horse battery staple",
    ip: null,
    userAgent: null,
    requestId: "test",
  });
  const { rows } = await database.owner.query("SELECT 1 FROM users WHERE tenant_id = $1 AND email = $2", [
    tenant.tenantId,
    input.email,
  ]);
  expect(rows).toHaveLength(1);
});

/** The mail's page as it was written. */
const pageOf = (raw: string) =>
  raw
    .slice(raw.indexOf("<!doctype html>"))
    .replaceAll(/=([0-9A-F]{2})/g, (_all, byte: string) => String.fromCharCode(Number.parseInt(byte, 16)));

test("the mail looks like the organisation, whose words are text in it, and so does the answer that reads its token", async () => {
  const { owner, runJobs } = await worldWithMail();
  const plain = wanted();
  await inviteMember(owner, plain);
  const { logo } = await setLogo(owner, { picture: pngOf(400, 48).toString("base64") });
  await updateBranding(
    owner,
    updateBrandingSchema.parse({
      accent: "#FFD400",
      senderName: `<img src=x onerror="alert(1)"> & Söhne {{ link }}`,
      support: "https://help.example/?a=1&b=%22",
    }),
  );
  const input = wanted();
  const { link } = await inviteMember(owner, input);
  await runJobs();

  const page = pageOf(received(input.email)[0] ?? "");
  expect(page).toContain(`<img src="${env().publicUrl}${logo?.path ?? "?"}" width="200" height="24"`);
  expect(page.match(/<img/g)).toHaveLength(1);
  expect(page).toContain("background:#ffd400;color:#000000");
  expect(page).toContain("Sent by &lt;img src=x onerror=&#34;alert(1)&#34;&gt; &amp; ");
  expect(page).toContain("{{ link }}");
  expect(page).toContain('href="https://help.example/?a=1&amp;b=%22"');

  // Without branding it is the product's, and signed with the organisation's name.
  const before = pageOf(received(plain.email)[0] ?? "");
  expect(before).not.toContain("<img");
  expect(before).toMatch(/background:#1d1d1b;color:#ffffff/);
  expect(before).toMatch(/Sent by .+ through Tidings/);

  const shown = await showInvitation(database.web, { token: tokenOf(link), requestId: "test" });
  expect(shown.brand).toEqual({
    logo: logo?.path,
    accent: "#ffd400",
    onAccent: "#000000",
    support: "https://help.example/?a=1&b=%22",
  });
  expect(shown).not.toHaveProperty("tenantId");
});

test("nobody reads the link or the address in the log of messages, whatever they may reveal", async () => {
  const { owner, runJobs, tenant } = await worldWithMail();
  const input = wanted();
  const { link, delivery } = await inviteMember(owner, input);
  const id = delivery.by === "email" ? delivery.notificationId : "";
  const look = async () =>
    JSON.stringify([
      await getTimeline(tenant.as("owner"), { id }),
      await listNotifications(tenant.as("owner"), {
        environmentId: tenant.environments.production,
        limit: 10,
      }),
    ]);
  const before = await look();
  await runJobs();
  for (const text of [before, await look()]) {
    expect(text).toContain(id);
    expect(text).not.toContain(tokenOf(link));
    expect(text).not.toContain(input.email);
  }
  // SMTP has no receipts: it has ended, and what it was made from is gone.
  const { rows } = await database.owner.query<{ text: string }>(
    `SELECT string_agg(t, ' ') AS text FROM (
       SELECT r::text FROM send_requests r UNION ALL SELECT n::text FROM notifications n
       UNION ALL SELECT e::text FROM notification_events e UNION ALL SELECT j.payload::text FROM graphile_worker._private_jobs j
       UNION ALL SELECT s::text FROM short_links s) AS all_rows(t)`,
  );
  expect(rows[0]?.text).toContain(id);
  expect(rows[0]?.text).not.toContain(tokenOf(link));
});

test("sent again, the new link works and the old one does not", async () => {
  const { owner, runJobs } = await worldWithMail();
  const input = wanted();
  const first = await inviteMember(owner, input);
  const second = await inviteAgain(owner, { id: first.id });
  await runJobs();
  expect(received(input.email)).toHaveLength(2);
  expect(tokenOf(second.link)).not.toBe(tokenOf(first.link));
  const accept = (link: string) =>
    acceptInvitation(database.web, {
      token: tokenOf(link),
      password: "correct horse battery staple",
      ip: null,
      userAgent: null,
      requestId: "test",
    });
  await expect(accept(first.link)).rejects.toMatchObject({ code: "not_found" });
  await accept(second.link);
});

test("without e-mail in production there is the link alone, and it is said why", async () => {
  const world = await makeSendingWorld(database);
  const owner = world.tenant.as("owner");
  const none = await inviteMember(owner, wanted());
  expect(none.delivery).toMatchObject({ by: "nobody", why: "no_email" });
  expect(none.link).toMatch(/\/invitation#inv_[\w-]{43}$/);
  // The simulator reaches nobody.
  await world.tenant.addSimulator(["production"]);
  expect((await inviteMember(owner, wanted())).delivery).toMatchObject({ by: "nobody", why: "no_email" });
});

test("an invitation for one team goes out through that team's e-mail, never another's", async () => {
  const world = await makeSendingWorld(database);
  const { alpha, beta } = world.tenant.units;
  const smtp = await world.addSmtp(mail.port, { unitId: alpha });
  await world.addRule("production", [[smtp]], { channel: "email" });
  const owner = world.tenant.as("owner");
  expect((await inviteMember(owner, wanted(beta))).delivery).toMatchObject({ by: "nobody" });
  expect((await inviteMember(owner, wanted(alpha))).delivery).toMatchObject({ by: "email" });
});

test("an address that takes no messages is said to be one, and the link stands", async () => {
  const { owner, tenant } = await worldWithMail();
  const input = wanted();
  await database.owner.query(
    `INSERT INTO suppressions (tenant_id, id, sandbox, channel, address, reason, created_at)
     VALUES ($1, $2, false, 'email', $3, 'hard_bounce', now())`,
    [tenant.tenantId, newId(), input.email],
  );
  const { delivery, link } = await inviteMember(owner, input);
  expect(delivery).toMatchObject({ by: "nobody", why: "refused" });
  expect(link).toContain("#inv_");
});

test("whoever manages members sends nothing else so: the permission to send stays theirs or not", async () => {
  const { tenant, owner } = await worldWithMail();
  const { id, email } = await tenant.addMember("administrator");
  const grants = [
    {
      permissions: new Set(["members:manage", "costs:read", "reports:read"]),
      unitId: null,
      applicationId: null,
      environmentId: null,
    },
  ];
  const manager = { ...owner, actor: { type: "user" as const, id, email, name: "M" }, grants };
  expect((await inviteMember(manager, wanted())).delivery).toMatchObject({ by: "email" });
});
