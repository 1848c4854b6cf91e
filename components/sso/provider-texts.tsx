import type { ReactNode } from "react";
import type { ProviderKind } from "../../server/sso/schemas.ts";

/** What somebody sees who connects a provider of a kind. */
export const providerTexts: Record<
  ProviderKind,
  {
    label: string;
    name: string;
    scopes: string;
    roleClaim: string;
    /** How its issuer is asked for; null: it has only one. */
    issuer: { label: string; placeholder: string; hint: string } | null;
    /** The issuer of what was entered. */
    issuerOf: (entered: string) => string;
    steps: readonly ReactNode[];
  }
> = {
  entra: {
    label: "Microsoft Entra ID",
    name: "Microsoft",
    scopes: "openid email profile",
    roleClaim: "groups",
    issuer: {
      label: "Directory (tenant) ID",
      placeholder: "00000000-0000-0000-0000-000000000000",
      hint: "From the overview of the app registration.",
    },
    issuerOf: (entered) =>
      /^[\da-f-]{36}$/i.test(entered) ? `https://login.microsoftonline.com/${entered}/v2.0` : entered,
    steps: [
      <>
        In the Entra admin center: <b>App registrations → New registration</b>, for this directory only.
        Redirect URI: type <b>Web</b>, the address above.
      </>,
      <>
        <b>Certificates &amp; secrets → New client secret</b>. Copy its <b>value</b> and note its expiry date.
      </>,
      <>
        <b>Token configuration → Add optional claim → ID</b>: <b>upn</b>. Without it, Entra doesn't confirm
        any address as verified.
      </>,
      <>
        For roles by group: <b>Add groups claim → Groups assigned to the application</b>. Rules use the
        group’s object ID.
      </>,
    ],
  },
  google: {
    label: "Google Workspace",
    name: "Google",
    scopes: "openid email profile",
    roleClaim: "hd",
    issuer: null,
    issuerOf: () => "https://accounts.google.com",
    steps: [
      <>
        In the Google Cloud console: <b>Google Auth Platform → Audience</b>: <b>Internal</b>.
      </>,
      <>
        <b>Clients → Create client → Web application</b>. Authorised redirect URI: the address above.
      </>,
      <>
        Copy client ID and client secret. Google doesn't send groups: assign roles with a rule for everyone,
        manually or through your directory.
      </>,
    ],
  },
  okta: {
    label: "Okta",
    name: "Okta",
    scopes: "openid email profile groups",
    roleClaim: "groups",
    issuer: {
      label: "Okta domain",
      placeholder: "acme.okta.com",
      hint: "Or the full issuer of a custom authorization server.",
    },
    issuerOf: (entered) => (entered === "" || entered.includes("://") ? entered : `https://${entered}`),
    steps: [
      <>
        In the Okta admin console: <b>Applications → Create App Integration → OIDC, Web Application</b>.
        Sign-in redirect URI: the address above.
      </>,
      <>Assign the people or groups who may sign in, and copy client ID and secret.</>,
      <>
        For roles by group: on the application’s <b>Sign On</b> tab, <b>Groups claim filter</b>:{" "}
        <code>groups</code>, matches regex <code>.*</code>. Rules use the group name.
      </>,
    ],
  },
  oidc: {
    label: "Another provider (OpenID Connect)",
    name: "Single sign-on",
    scopes: "openid email profile",
    roleClaim: "groups",
    issuer: {
      label: "Issuer",
      placeholder: "https://id.example.com",
      hint: "Its address without /.well-known/openid-configuration, exactly as the provider writes it.",
    },
    issuerOf: (entered) => entered,
    steps: [
      <>
        Register a confidential web client with the authorization code flow and the address above as redirect
        URI.
      </>,
      <>
        The ID token or userinfo endpoint must contain <code>email</code> and <code>email_verified</code> (
        <code>true</code>).
      </>,
      <>For roles: a claim with a string or list of strings, such as groups.</>,
    ],
  },
};
