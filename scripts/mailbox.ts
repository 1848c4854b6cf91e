/**
 * The quickstart's mailbox: a real SMTP server on loopback that stores what it receives, and a small HTTP interface to
 * read it. For trying Tidings out, not for production.
 */
import { timingSafeEqual } from "node:crypto";
import http from "node:http";
import path from "node:path";
import { SMTPServer } from "smtp-server";
import { MailStore } from "./lib/mail-store.ts";
import { dataFolder } from "./lib/paths.ts";
import { loadSecrets } from "./lib/secrets.ts";

const LARGEST_MAIL = 25 * 1024 * 1024;
const HOST = "127.0.0.1";

const dataDir = dataFolder();
const { mailbox } = loadSecrets(dataDir);
const store = new MailStore(path.join(dataDir, "mailbox"));

const log = (message: string, facts: Record<string, unknown> = {}) =>
  console.log(JSON.stringify({ time: new Date().toISOString(), part: "mailbox", ...facts, msg: message }));

function same(given: string | null | undefined, wanted: string): boolean {
  const a = Buffer.from(given ?? "");
  const b = Buffer.from(wanted);
  return a.length === b.length && timingSafeEqual(a, b);
}

const smtp = new SMTPServer({
  name: "mailbox.tidings.test",
  banner: "Tidings quickstart",
  size: LARGEST_MAIL,
  authMethods: ["PLAIN", "LOGIN"],
  // Loopback only; a self-signed certificate would just make clients refuse.
  allowInsecureAuth: true,
  disabledCommands: ["STARTTLS"],
  disableReverseLookup: true,
  logger: false,
  onAuth(auth, _session, done) {
    if (same(auth.username, mailbox.user) && same(auth.password, mailbox.password)) {
      done(null, { user: mailbox.user });
    } else {
      done(Object.assign(new Error("Authentication failed"), { responseCode: 535 }));
    }
  },
  onData(stream, session, done) {
    const chunks: Buffer[] = [];
    let size = 0;
    stream.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= LARGEST_MAIL) chunks.push(chunk);
    });
    stream.on("end", () => {
      if (size > LARGEST_MAIL) {
        done(Object.assign(new Error("The message is too large"), { responseCode: 552 }));
        return;
      }
      const { mailFrom, rcptTo } = session.envelope;
      const from = mailFrom === false ? "" : mailFrom.address;
      store.add({ from, to: rcptTo.map((to) => to.address) }, Buffer.concat(chunks)).then(
        () => {
          log("mail received", { bytes: size, recipients: rcptTo.length });
          done();
        },
        (error: unknown) => {
          log("mail could not be kept", { error: String(error) });
          done(Object.assign(new Error("Try again later"), { responseCode: 451 }));
        },
      );
    });
  },
});
smtp.on("error", (error) => log("SMTP connection failed", { error: error.message }));

async function answer(request: http.IncomingMessage): Promise<{ status: number; body: unknown }> {
  const nothing = { status: 404, body: { error: "not found" } };
  // A page on the network could point a name of its own at this address; the Host header reveals it.
  if (
    ![`${HOST}:${mailbox.httpPort}`, `localhost:${mailbox.httpPort}`].includes(request.headers.host ?? "")
  ) {
    return nothing;
  }
  const url = new URL(request.url ?? "/", `http://${HOST}`);
  const [, token, room, id, ...rest] = url.pathname.split("/");
  if (!same(token, mailbox.token) || room !== "messages" || rest.length > 0) return nothing;
  if (request.method !== "GET") return { status: 405, body: { error: "method not allowed" } };
  if (!id) return { status: 200, body: await store.list() };
  const mail = await store.read(id);
  return mail ? { status: 200, body: mail } : nothing;
}

const web = http.createServer((request, response) => {
  answer(request)
    .catch((error: unknown) => {
      log("request failed", { error: String(error) });
      return { status: 500, body: { error: "failed" } };
    })
    .then(({ status, body }) => {
      const headers = {
        "content-type": "application/json; charset=utf-8",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      };
      response.writeHead(status, headers).end(JSON.stringify(body));
    }, console.error);
});

web.listen(mailbox.httpPort, HOST);
smtp.listen(mailbox.smtpPort ?? 0, HOST, () => log("mailbox ready"));

let stopping = false;
function stop() {
  if (stopping) return;
  stopping = true;
  smtp.close(() => process.exit(0));
  web.close();
  web.closeAllConnections();
  setTimeout(() => process.exit(0), 2_000).unref();
}
process.on("SIGTERM", stop);
process.on("SIGINT", stop);
