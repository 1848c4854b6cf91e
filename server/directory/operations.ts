import { mutation, query } from "../operations/operation.ts";
import { addDomain, listDomains, removeDomain, verifyDomain } from "./manage-domains.ts";
import { listMappedGroups, mapGroup, unmapGroup } from "./manage-mappings.ts";
import { createToken, listTokens, revokeToken, rotateToken } from "./manage-tokens.ts";
import {
  addDomainSchema,
  createTokenSchema,
  domainSchema,
  listGroupsSchema,
  mapGroupSchema,
  tokenSchema,
  unmapGroupSchema,
} from "./schemas.ts";

const members = { permission: "members:manage" } as const;

/** How the organisation's directory is connected. What the directory itself does comes in over SCIM. */
export const directoryOperations = {
  domains: query({ ...members, run: listDomains }),
  addDomain: mutation({ ...members, input: addDomainSchema, run: addDomain }),
  verifyDomain: mutation({ ...members, input: domainSchema, run: (ctx, input) => verifyDomain(ctx, input) }),
  removeDomain: mutation({ ...members, input: domainSchema, run: removeDomain }),
  tokens: query({ ...members, run: listTokens }),
  createToken: mutation({ ...members, input: createTokenSchema, run: createToken }),
  rotateToken: mutation({ ...members, input: tokenSchema, run: rotateToken }),
  revokeToken: mutation({ ...members, input: tokenSchema, run: revokeToken }),
  groups: query({ ...members, input: listGroupsSchema, run: listMappedGroups }),
  mapGroup: mutation({ ...members, input: mapGroupSchema, run: mapGroup }),
  unmapGroup: mutation({ ...members, input: unmapGroupSchema, run: unmapGroup }),
};
