import { mutation, query } from "../operations/operation.ts";
import {
  createProvider,
  listProviders,
  removeProvider,
  switchProvider,
  updateProvider,
} from "./manage-providers.ts";
import { addRule, removeRule } from "./manage-rules.ts";
import {
  addRuleSchema,
  createProviderSchema,
  providerSchema,
  ruleSchema,
  switchProviderSchema,
  updateProviderSchema,
} from "./schemas.ts";
import { testProvider } from "./test-provider.ts";

const members = { permission: "members:manage" } as const;

/** The organisation's own identity providers, and which roles they give. */
export const ssoOperations = {
  providers: query({ ...members, run: listProviders }),
  create: mutation({ ...members, input: createProviderSchema, run: createProvider }),
  update: mutation({ ...members, input: updateProviderSchema, run: updateProvider }),
  test: mutation({ ...members, input: providerSchema, run: (ctx, input) => testProvider(ctx, input) }),
  switch: mutation({ ...members, input: switchProviderSchema, run: switchProvider }),
  remove: mutation({ ...members, input: providerSchema, run: removeProvider }),
  addRule: mutation({ ...members, input: addRuleSchema, run: addRule }),
  removeRule: mutation({ ...members, input: ruleSchema, run: removeRule }),
};
