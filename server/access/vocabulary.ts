import { builtInRoles, type BuiltInRole } from "../operations/permissions.ts";

/** Values, limits and words of this domain that pages use as well: without zod, so that a page that only reads them does not load it. */

export { permissionTexts, permissions } from "../operations/permissions.ts";

export const roleKeys = Object.keys(builtInRoles) as [BuiltInRole, ...BuiltInRole[]];

/** The roles that every tenant has, for menus: key and name. */
export const roleChoices = roleKeys.map((key) => ({ key, name: builtInRoles[key].name }));

/** How much there may be of it on one key. */
export const keyLimits = {
  networks: 50,
  recipients: 200,
  purpose: 500,
  hourlyCap: 100_000,
  /** How many days before its end the people of a key are warned, longest first. */
  warnDays: [14, 3],
} as const;

export const passwordLength = { min: 12, max: 1_024 } as const;

/** How much there may be of passkeys. */
export const passkeyLimits = {
  /** Of one person. */
  each: 20,
  name: 60,
  credentialIdBytes: { min: 16, max: 1_023 },
  publicKeyBytes: 1_200,
} as const;

/** How people sign in: `single_sign_on` is the operator's identity provider, `identity_provider` one of the organisation's own. */
export const signInWays = ["password", "passkey", "single_sign_on", "identity_provider"] as const;
