/** What is wrong with a mail server's TLS, for the person who can put it right. */
import type { KnownFailure } from "../http-call.ts";

/** `originalCode`: Node's or OpenSSL's name for it, which nodemailer keeps beside its own. */
type TlsError = Error & { code?: string; originalCode?: string; cert?: { subjectaltname?: unknown } };

const untrusted =
  "The mail server's certificate comes from an authority that is not trusted here: let the server send its whole chain, or have this installation trust its authority";
const selfSigned =
  "The mail server's certificate is self-signed: give it one of a trusted authority, or have this installation trust its own";

/** OpenSSL's names of what it finds wrong, as Node passes them on. */
const certificateFaults: Record<string, string> = {
  CERT_HAS_EXPIRED: "The mail server's certificate has expired: whoever runs the server has to renew it",
  CERT_NOT_YET_VALID:
    "The mail server's certificate is not valid yet: wait until it is, or check the clocks of the server and of this machine",
  CERT_REVOKED: "The mail server's certificate was revoked: whoever runs the server has to replace it",
  DEPTH_ZERO_SELF_SIGNED_CERT: selfSigned,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  CERT_UNTRUSTED: untrusted,
  CERT_CHAIN_TOO_LONG: untrusted,
  INVALID_CA: untrusted,
  PATH_LENGTH_EXCEEDED: untrusted,
  INVALID_PURPOSE:
    "The mail server's certificate is not meant for servers: whoever runs the server has to replace it",
  CERT_SIGNATURE_FAILURE:
    "The signature of the mail server's certificate is wrong: whoever runs the server has to replace it",
};

/** Undefined for an error that has nothing to do with TLS. */
export function tlsFailure(error: TlsError): KnownFailure | undefined {
  const name = error.originalCode ?? error.code ?? "";
  const detail = name === "ERR_TLS_CERT_ALTNAME_INVALID" ? wrongName(error) : certificateFaults[name];
  if (detail !== undefined) return failed(detail);
  if (name === "ERR_SSL_WRONG_VERSION_NUMBER" || name === "ERR_SSL_PACKET_LENGTH_TOO_LONG") {
    return failed(
      "The mail server does not speak TLS from the first byte on this port: choose STARTTLS as the connection's security, or the port for TLS, which is usually 465",
    );
  }
  if (name === "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION" || name === "ERR_SSL_UNSUPPORTED_PROTOCOL") {
    return failed("The mail server offers no version of TLS that is still secure: it needs TLS 1.2 or newer");
  }
  return error.code === "ETLS" ||
    name === "EPROTO" ||
    name.startsWith("ERR_SSL_") ||
    name.startsWith("ERR_TLS_")
    ? failed("TLS with the mail server failed")
    : undefined;
}

/** A certificate is renewed while messages wait. */
const failed = (detail: string): KnownFailure => ({ retry: "later", code: "provider_tls_failed", detail });

/** Names are the server's own words: what is no name is left out, and there are few. */
function wrongName({ cert }: TlsError): string {
  const text = typeof cert?.subjectaltname === "string" ? cert.subjectaltname.slice(0, 2_000) : "";
  const names = text
    .split(", ")
    .map((entry) => /^(?:DNS|IP Address):([\w.:*-]{1,100})$/.exec(entry)?.[1])
    .filter((found) => found !== undefined)
    .slice(0, 3);
  const which = names.length === 0 ? "another host" : names.join(", ");
  return `The mail server's certificate is for ${which} and not for the connection's host: enter the name that the certificate has as the host, or have the certificate replaced`;
}
