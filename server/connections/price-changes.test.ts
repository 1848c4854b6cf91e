import { expect, it } from "vitest";
import type { Ctx } from "../kernel/ctx.ts";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { refusal } from "../testing/refusal.ts";
import { createProvider } from "./create-provider.ts";
import { listPriceChanges } from "./list-price-changes.ts";
import { priceChangesSchema, providerCreateSchema, providerUpdateSchema } from "./schemas.ts";
import { updateProvider } from "./update-provider.ts";

const database = await testDatabase();
const tenant = await makeTenant(database);
const owner = tenant.as("owner");
const sms = (amount: string, more: object = {}) => ({ channel: "sms", amount, currency: "EUR", ...more });

const add = (fields: object, ctx: Ctx = owner) =>
  createProvider(
    ctx,
    providerCreateSchema.parse({
      name: `Twilio ${newId()}`,
      provider: "twilio",
      credentials: { accountSid: `AC${"a1".repeat(16)}`, authToken: "the-secret-token" },
      settings: { region: "ie1" },
      ...fields,
    }),
  );
const setPrices = (id: string, priceList: object[]) =>
  updateProvider(owner, { id, changes: providerUpdateSchema.parse({ priceList }) });
const list = (input: object, ctx: Ctx = owner) => listPriceChanges(ctx, priceChangesSchema.parse(input));

it("are kept as what became of each row, page by page, and an unchanged list leaves nothing", async () => {
  const { id, name } = await add({ priceList: [sms("0.1"), sms("0.075", { country: "DE" })] });
  const ended = sms("0.075", { country: "DE", validTo: "2026-12-31" });
  const next = sms("0.072", { country: "DE", validFrom: "2027-01-01" });
  await setPrices(id, [sms("0.1"), ended, next]);
  await setPrices(id, [sms("0.1"), ended, next]);
  await setPrices(id, [ended, next]);
  await updateProvider(owner, { id, changes: { name: `${name} 2` } });
  const { data } = await list({ connectionId: id });
  expect(data.map(({ before, after }) => [before, after])).toEqual([
    [sms("0.1"), null],
    [null, next],
    [sms("0.075", { country: "DE" }), ended],
    [null, sms("0.075", { country: "DE" })],
    [null, sms("0.1")],
  ]);
  expect(data[0]).toMatchObject({ connectionId: id, connection: `${name} 2` });
  const first = await list({ connectionId: id, limit: 2 });
  const rest = await list({ connectionId: id, limit: 4, cursor: first.nextCursor ?? "" });
  expect([...first.data, ...rest.data]).toEqual(data);
  expect(rest.nextCursor).toBeNull();
});

it("are not kept of a list that is refused: both rows are named", async () => {
  const { id } = await add({});
  const wrong = [
    sms("0.1", { country: "DE", validTo: "2026-12-31" }),
    sms("0.2"),
    sms("0.3", { country: "DE", validFrom: "2026-12-01" }),
    sms("0.3", { validFrom: "2026-12-02", validTo: "2026-12-01", country: "FR" }),
  ];
  const { errors } = await refusal(setPrices(id, wrong));
  expect(errors).toEqual([
    {
      pointer: "/priceList/3/validTo",
      code: "invalid_value",
      detail: "The last day is before the first, 2026-12-02",
    },
    {
      pointer: "/priceList/2",
      code: "repeated",
      detail:
        "/priceList/0 and /priceList/2 are for the same messages from 2026-12-01 to 2026-12-31: end one the day before the other begins",
    },
  ]);
  expect((await list({ connectionId: id })).data).toEqual([]);
});

it("of a unit's connection are its own, those of everybody's everybody's who may see costs", async () => {
  const unit = tenant.units.alpha;
  const own = await add({ unit: "alpha", priceList: [sms("0.5")] });
  const shared = await add({ priceList: [sms("0.6")] });
  const seen = async (unitId: string | null) => {
    const { data } = await list({ limit: 200 }, tenant.as("finance", unitId));
    return [own.id, shared.id].map((id) => data.some((change) => change.connectionId === id));
  };
  expect(await seen(null)).toEqual([true, true]);
  expect(await seen(unit)).toEqual([true, true]);
  expect(await seen(newId())).toEqual([false, true]);
});
