import { listPriceChanges } from "../connections/list-price-changes.ts";
import { priceChangesSchema } from "../connections/schemas.ts";
import { mutation, query } from "../operations/operation.ts";
import { getCurrency, removeRate, setCurrency, setRate } from "./currency.ts";
import { listEntries } from "./list-entries.ts";
import { entryListSchema, ownCurrencySchema, rateKeySchema, rateSchema } from "./schemas.ts";

const permission = "settings:manage";

/** The organisation's own currency and its rates, how prices changed, and the ledger entry by entry. */
export const costOperations = {
  currency: query({ permission, run: getCurrency }),
  setCurrency: mutation({ permission, input: ownCurrencySchema, run: setCurrency }),
  setRate: mutation({ permission, input: rateSchema, run: setRate }),
  removeRate: mutation({ permission, input: rateKeySchema, run: removeRate }),
  priceChanges: query({ permission: "costs:read", input: priceChangesSchema, run: listPriceChanges }),
  entries: query({ permission: "costs:read", input: entryListSchema, run: listEntries }),
};
