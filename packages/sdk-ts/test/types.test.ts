import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { writeTypes } from "../src/cli/types.ts";
import { typeErrors } from "./type-errors.ts";
import { startWorld } from "./world.ts";

const world = await startWorld();
const folder = mkdtempSync(path.join(tmpdir(), "tidings-types-"));
afterAll(async () => {
  await world.api.close();
  rmSync(folder, { recursive: true });
});

const owner = world.client({ apiKey: world.keys.live });

const order = `application: "webshop", region: "DE", language: "en", notificationType: "order", notificationSubtype: "order_status"`;
const ada = `{ channel: "email", recipient: "ada@example.com" }`;
const variables = `customerName: "Ada", orderNumber: "A-1", status: "shipped", trackingUrl: "https://shop.example/1"`;
const toAda = `channel: "email", to: "ada@example.com"`;

const right = [
  `send({ ${order}, recipients: [${ada}], templateVariables: [{ ${variables} }] })`,
  `send({ ${order}, recipients: [{ ...${ada}, variables: { ${variables} } }] } as const)`,
  `send({ ${order}, recipients: [{ channel: "email", recipient: "a@b.example", variables: { ${variables} } }] })`,
  `send({ ${order}, recipients: [{ channel: "sms", recipient: "+4915112345678" }], templateVariables: [{ ${variables} }] })`,
  `send({ ${order}, recipients: [${ada}, { channel: "sms", recipient: "+49151" }], templateVariables: [{ ${variables} }] })`,
  `send({ ${order}, transactionId: "order-1", recipients: [${ada}], templateVariables: [{ ${variables} }] })`,
  `send({ ${order}, contactGroups: [{ group: "Newsletter", channels: ["email"] }] })`,
  `send({ ${order}, contactGroups: [{ group: "Newsletter", channels: ["email"] }], templateVariables: [{ orderNumber: "A-1" }] })`,
  `send({ ${order}, metadata: { orderId: "1" }, recipients: [${ada}], templateVariables: [{ ${variables} }] })`,
  `send({ ${order}, scheduledAt: "2027-01-01T00:00:00Z", recipients: [${ada}], templateVariables: [{ ${variables} }] })`,
  `send({ ${order}, recipients: [${ada}], templateVariables: orders.map((n) => ({ customerName: n, orderNumber: n, status: "shipped" as const })) })`,
  `send({ ${order}, recipients: orders.map((n) => ({ channel: "sms" as const, recipient: n })), templateVariables: [{ ${variables} }] })`,
  `send({ ${order}, recipients: [{ ...${ada}, channel: "email" as const, variables: { orderNumber: "2" } }], templateVariables: [{ ${variables} }] })`,
  `send({ ${order}, recipients: [${ada}], templateVariables: [{ ${variables} }] }, { timeout: 1000 })`,
  `messages.create({ ${toAda}, template: "order-status", variables: { ${variables} } })`,
  `messages.create({ ${toAda}, template: "order-status", application: "webshop", variables: { ${variables} } })`,
  `messages.create({ channel: "sms", to: "+49151", template: "order-status", variables: { ${variables} } })`,
  `messages.create({ ${toAda}, template: "invoice", variables: { amount: 12.5, dueDate: new Date(), plan: "gold" } })`,
  `messages.create({ ${toAda}, template: "invoice", variables: { amount: "12.50", dueDate: "2027-01-31", plan: "basic" } })`,
  `messages.create({ ${toAda}, template: "invoice", region: "DE", variables: { amount: 1, dueDate: "2027-01-31", plan: "basic", note: "x" } })`,
];

const wrong = [
  `send({ ${order.replace("webshop", "webshpo")}, recipients: [${ada}], templateVariables: [{ ${variables} }] })`,
  `send({ ${order.replace('"order",', '"ordre",')}, recipients: [${ada}], templateVariables: [{ ${variables} }] })`,
  `send({ ${order.replace("order_status", "order_state")}, recipients: [${ada}], templateVariables: [{ ${variables} }] })`,
  `send({ ${order}, recipients: [${ada}], templateVariables: [{ ${variables.replace("shipped", "teleported")} }] })`,
  `send({ ${order}, recipients: [{ channel: "pigeon", recipient: "x" }], templateVariables: [{ ${variables} }] })`,
  `send({ ${order}, recipients: [${ada}] })`,
  `send({ ${order}, recipients: [${ada}], templateVariables: [{}] })`,
  `send({ ${order}, recipients: [${ada}], templateVariables: [{ ${variables.replace("customerName", "custumerName")} }] })`,
  `send({ ${order}, recipients: [${ada}], templateVariables: [{ ${variables}, colour: "red" }] })`,
  `send({ ${order}, recipients: [${ada}], templateVariables: [{ ${variables.replace('"A-1"', "true")} }] })`,
  `send({ ${order}, recipients: [{ ...${ada}, channel: "email" as const, variables: { orderNumber: "1" } }] })`,
  `send({ ${order}, contactGroups: [{ group: "Newsletter", channels: ["email"] }], templateVariables: [{ ordernumber: "A-1" }] })`,
  `send({ ${order}, recipients: [${ada}], templateVariables: [{ ${variables} }], scheduleAt: "2027-01-01T00:00:00Z" })`,
  `messages.create({ ${toAda}, template: "order-state", variables: { ${variables} } })`,
  `messages.create({ ${toAda}, template: "order-status" })`,
  `messages.create({ ${toAda}, template: "order-status", application: "webshpo", variables: { ${variables} } })`,
  `messages.create({ ${toAda}, template: "invoice", variables: { amount: "a lot", dueDate: "2027-01-31", plan: "basic" } })`,
  `messages.create({ ${toAda}, template: "invoice", variables: { amount: 1, dueDate: "2027-01-31", plan: "platinum" } })`,
  `messages.create({ ${toAda}, template: "invoice", variables: { amount: 1, plan: "basic" } })`,
  `messages.create({ channel: "sms", to: "+49151", template: "invoice", variables: { amount: 1, dueDate: "x", plan: "basic" } })`,
];

function calls(name: string, call: string): string {
  const file = path.join(folder, `${name}.ts`);
  writeFileSync(
    file,
    `import { Tidings } from "tidings";\nconst tidings = new Tidings();\nconst orders = ["1", "2"];\nvoid orders;\nvoid tidings.${call};\n`,
  );
  return file;
}

describe("tidings types", () => {
  it("has tsc take 20 right calls and refuse 20 wrong ones", async () => {
    await owner.templates.create({
      application: "webshop",
      name: "invoice",
      notificationType: "order",
      notificationSubtype: "delivery_eta",
      channel: "email",
      region: "FR",
      subject: "{{ amount }}",
      body: "<p>{{ amount }} {{ dueDate }} {{ plan }} {{ note }}</p>",
      variables: [
        { name: "amount", type: "number", required: true, example: "12.50" },
        { name: "dueDate", type: "date", required: true, example: "2027-01-31" },
        { name: "plan", type: "enum", required: true, values: ["basic", "gold"], example: "gold" },
        { name: "note", type: "string", required: false, example: "Thanks" },
      ],
    });
    const { text, templates } = await writeTypes(owner, [], undefined);
    expect(templates).toBeGreaterThan(2);
    writeFileSync(path.join(folder, "package.json"), JSON.stringify({ type: "module" }));
    const types = path.join(folder, "tidings-templates.d.ts");
    writeFileSync(types, text);
    const good = right.map((call, n) => calls(`right-${String(n)}`, call));
    const bad = wrong.map((call, n) => calls(`wrong-${String(n)}`, call));
    const errors = typeErrors([types, ...good, ...bad]);
    expect(errors.get("elsewhere") ?? []).toEqual([]);
    expect(errors.get(types)).toEqual([]);
    expect(good.flatMap((file) => errors.get(file) ?? [])).toEqual([]);
    expect(bad.filter((file) => errors.get(file)?.length === 0)).toEqual([]);
    expect([good.length, bad.length]).toEqual([20, 20]);

    // Without the file, any name and any variables are taken: nothing is known of the templates.
    const untyped = typeErrors([calls("untyped", wrong[7]!)]);
    expect([...untyped.values()].flat()).toEqual([]);
  }, 60_000);

  it("is the same text for the same templates, and takes an application and an environment", async () => {
    const first = await writeTypes(owner, ["webshop"], "production");
    expect(await writeTypes(owner, ["webshop"], "production")).toEqual(first);
    expect(first.text).not.toContain('"invoice"');
    expect(first.text).toContain('"order-status"');
    await expect(writeTypes(owner, ["nothing"], undefined)).rejects.toMatchObject({
      code: "unknown_application",
    });
  });
});
