/** Names the field that a client secret is sealed for. */
export const clientSecretContext = (providerId: string): string => `identity_providers:${providerId}`;
