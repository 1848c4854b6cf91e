import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import type { CryptoKey, JWK, JWTPayload } from "jose";

interface Granted {
  nonce: string | null;
  challenge: string | null;
  redirectUri: string;
  claims: Record<string, unknown>;
}

/** What a hostile or broken provider does otherwise. */
export interface Twist {
  /** Changes the claims of the next ID tokens. */
  claims?: (claims: JWTPayload) => JWTPayload;
  /** Makes the ID token itself. */
  token?: (claims: JWTPayload, key: { private: CryptoKey; public: JWK }) => Promise<string> | string;
  discovery?: (document: Record<string, unknown>) => unknown;
  keys?: (keys: { keys: JWK[] }) => unknown;
  /** Never answers there. */
  hangs?: "discovery" | "token" | "keys";
  /** Changes the query that a browser comes back with. */
  back?: (query: URLSearchParams) => void;
  /** Claims that stand at the userinfo endpoint alone. */
  userinfoOnly?: readonly string[];
  /** Happens while somebody waits for the ID token. */
  meanwhile?: () => Promise<unknown>;
}

export type FakeOidc = Awaited<ReturnType<typeof openFakeOidc>>;

/** A small identity provider on this machine: discovery, keys, authorization code with PKCE, userinfo. Does what `twist` says. */
export async function openFakeOidc(options: { port?: number; path?: string } = {}) {
  const path = options.path ?? "";
  const client = { id: "tidings-client", secret: `secret-${randomBytes(8).toString("hex")}` };
  const { publicKey, privateKey } = await generateKeyPair("RS256", { extractable: true });
  let kid = "key-1";
  const jwk = async (): Promise<JWK> => ({ ...(await exportJWK(publicKey)), kid, alg: "RS256", use: "sig" });
  const codes = new Map<string, Granted>();
  const tokens = new Map<string, Record<string, unknown>>();
  const seen: string[] = [];
  const state = {
    /** Who is signed in there. */
    person: { sub: "person-1", email: "", email_verified: true, name: "Mia Provider" } as Record<
      string,
      unknown
    >,
    twist: {} as Twist,
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const issuer = `${origin}${path}`;

  const json = (response: ServerResponse, status: number, body: unknown) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const url = new URL(request.url ?? "/", origin);
    const { twist } = state;
    const at = url.pathname.slice(path.length);
    seen.push(at);
    switch (at) {
      case "/.well-known/openid-configuration": {
        if (twist.hangs === "discovery") return;
        const document = {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          userinfo_endpoint: `${issuer}/userinfo`,
          response_types_supported: ["code"],
          id_token_signing_alg_values_supported: ["RS256"],
          authorization_response_iss_parameter_supported: true,
        };
        return json(response, 200, twist.discovery?.(document) ?? document);
      }
      case "/keys":
        if (twist.hangs === "keys") return;
        return json(response, 200, twist.keys?.({ keys: [await jwk()] }) ?? { keys: [await jwk()] });
      case "/authorize": {
        const asked = url.searchParams;
        const redirectUri = asked.get("redirect_uri") ?? "";
        const code = randomBytes(16).toString("hex");
        codes.set(code, {
          nonce: asked.get("nonce"),
          challenge: asked.get("code_challenge"),
          redirectUri,
          claims: { ...state.person },
        });
        const back = new URL(redirectUri);
        back.searchParams.set("code", code);
        back.searchParams.set("state", asked.get("state") ?? "");
        back.searchParams.set("iss", issuer);
        twist.back?.(back.searchParams);
        return response.writeHead(302, { location: back.href }).end();
      }
      case "/token": {
        const body = new URLSearchParams(await read(request));
        if (twist.hangs === "token") return;
        const basic = Buffer.from((request.headers.authorization ?? "").replace(/^Basic /, ""), "base64");
        const given = decodeURIComponent(basic.toString()) || `${body.get("client_id") ?? ""}:${body.get("client_secret") ?? ""}`; // prettier-ignore
        if (given !== `${client.id}:${client.secret}`) {
          return json(response, 401, { error: "invalid_client" });
        }
        const code = body.get("code") ?? "";
        const granted = codes.get(code);
        codes.delete(code);
        const challenge = createHash("sha256").update(body.get("code_verifier") ?? "").digest("base64url"); // prettier-ignore
        if (granted?.redirectUri !== body.get("redirect_uri") || granted.challenge !== challenge) {
          return json(response, 400, { error: "invalid_grant" });
        }
        const now = Math.floor(Date.now() / 1_000);
        const hidden = new Set(twist.userinfoOnly);
        const own = Object.entries(granted.claims).filter(([name]) => !hidden.has(name));
        const claims: JWTPayload = {
          ...Object.fromEntries(own),
          iss: issuer,
          aud: client.id,
          iat: now,
          exp: now + 300,
          ...(granted.nonce === null ? {} : { nonce: granted.nonce }),
        };
        await twist.meanwhile?.();
        const twisted = twist.claims?.(claims) ?? claims;
        const access = randomBytes(16).toString("hex");
        tokens.set(access, granted.claims);
        const token = twist.token
          ? await twist.token(twisted, { private: privateKey, public: await jwk() })
          : await new SignJWT(twisted).setProtectedHeader({ alg: "RS256", kid }).sign(privateKey);
        return json(response, 200, { access_token: access, token_type: "Bearer", id_token: token });
      }
      case "/userinfo": {
        const claims = tokens.get((request.headers.authorization ?? "").replace(/^Bearer /, ""));
        return claims ? json(response, 200, claims) : json(response, 401, {});
      }
      default:
        return json(response, 404, {});
    }
  }

  return {
    issuer,
    client,
    state,
    /** Paths that were asked for. */
    seen,
    /** Signs with the same key under another name. */
    renameKey: (name: string) => {
      kid = name;
    },
    /** What a browser does that is sent there: it comes back with this query. */
    visit: async (address: string): Promise<{ path: string; query: URLSearchParams }> => {
      const reply = await fetch(address, { redirect: "manual" });
      const back = new URL(reply.headers.get("location") ?? "");
      return { path: back.pathname, query: back.searchParams };
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
