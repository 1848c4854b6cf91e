import { generateKeyPairSync, randomBytes, randomInt } from "node:crypto";
import { dkimVerify } from "mailauth/lib/dkim/verify.js";
import { expect, it } from "vitest";
import { emailMessage } from "../testing/outbound-email.ts";
import { composeEmail } from "./email-message.ts";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const key = {
  domain: "example.org",
  selector: "s1",
  privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
};
const record = `v=DKIM1; k=rsa; p=${publicKey.export({ type: "spki", format: "der" }).toString("base64")}`;

/** What an independent verifier says: of the signature, and of which fields it covers. */
async function verified(raw: Buffer): Promise<{ result: string | undefined; signed: string[] }> {
  const { results } = await dkimVerify(raw, { resolver: () => Promise.resolve([[record]]) });
  const [signature] = results;
  return {
    result: signature?.status.result,
    signed: (signature?.signingHeaders?.keys ?? "").toLowerCase().split(/\s*:\s*/),
  };
}

it("covers the address that mail programs post to, of any length: mailauth verifies 1,000 of 60 to 400 characters", async () => {
  for (let count = 0; count < 1_000; count++) {
    const start = "https://tidings.example/api/app/unsubscribe/";
    const length = randomInt(60, 401);
    const url =
      start +
      randomBytes(400)
        .toString("base64url")
        .slice(0, length - start.length);
    const composed = await composeEmail(
      emailMessage({
        headers: { "List-Unsubscribe": `<${url}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
      }),
      key,
    );
    if (!("raw" in composed)) throw new Error(composed.detail);
    const { result, signed } = await verified(composed.raw);
    expect({ url, result }).toEqual({ url, result: "pass" });
    expect(signed).toEqual(expect.arrayContaining(["list-unsubscribe", "list-unsubscribe-post"]));
    // Unfolded it is the address, without a space in it.
    expect(composed.raw.toString("latin1").replaceAll(/\r\n[ \t]+/g, " ")).toContain(`<${url}>`);
  }
}, 60_000);

it("is not verified once the address was changed on the way", async () => {
  const url = "https://tidings.example/api/app/unsubscribe/abc";
  const composed = await composeEmail(
    emailMessage({ headers: { "List-Unsubscribe": `<${url}>`, "List-Unsubscribe-Post": "x" } }),
    key,
  );
  if (!("raw" in composed)) throw new Error(composed.detail);
  const changed = composed.raw.toString("latin1").replace(`${url}>`, `${url}d>`);
  expect(changed).not.toBe(composed.raw.toString("latin1"));
  expect((await verified(Buffer.from(changed, "latin1"))).result).toBe("fail");
});
