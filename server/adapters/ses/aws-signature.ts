/**
 * Signature Version 4 over a request that the guarded client makes.
 * Source: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html
 */
import { createHash } from "node:crypto";
import { Sha256 } from "@aws-crypto/sha256-js";
import { HttpRequest } from "@smithy/protocol-http";
import { SignatureV4 } from "@smithy/signature-v4";
import type { ProviderRequest } from "../http-call.ts";

export type AwsKey = { accessKeyId: string; secretAccessKey: string; region: string; service: string };

/** The request with `x-amz-date`, the hash of its body and `authorization`; every header that it had is signed. */
export async function signAws(
  request: ProviderRequest,
  { region, service, ...credentials }: AwsKey,
  at: Date = new Date(),
): Promise<ProviderRequest> {
  const url = new URL(request.url);
  const signer = new SignatureV4({
    region,
    service,
    credentials,
    sha256: Sha256,
    applyChecksum: false,
  });
  const headers: Record<string, string> = { ...request.headers, host: url.host };
  // Hashed here by Node: in JavaScript a large message would hold up everything else in this process.
  if (request.body !== undefined) {
    headers["x-amz-content-sha256"] = createHash("sha256").update(request.body).digest("hex");
  }
  const signed = await signer.sign(
    new HttpRequest({
      method: request.method,
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers,
      body: request.body,
    }),
    { signingDate: at },
  );
  return { ...request, headers: signed.headers };
}
