/** SMTP counterparts for tests: a real server, and one that misbehaves by script. */
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { SMTPServer } from "smtp-server";
import type { SMTPServerOptions } from "smtp-server";
import { TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from "./tls-fixture.ts";

export type ReceivedMail = { from: string; to: string[]; raw: string };

/** A real SMTP server on loopback that stores mails. With `onAuth` it offers STARTTLS and requires a login. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<{
  port: number;
  received: ReceivedMail[];
  connections: () => number;
  close: () => Promise<void>;
}> {
  const received: ReceivedMail[] = [];
  let connections = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: options.onAuth ? [] : ["AUTH", "STARTTLS"],
    key: TEST_CERTIFICATE_KEY,
    cert: TEST_CERTIFICATE,
    disableReverseLookup: true,
    closeTimeout: 1_000,
    onConnect: (_session, done) => {
      connections += 1;
      done();
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map((entry) => entry.address),
          raw: Buffer.concat(chunks).toString("utf8"),
        });
        done();
      });
    },
    ...options,
  });
  server.on("error", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    connections: () => connections,
    close: () => new Promise((closed) => server.close(closed)),
  };
}

/** A scripted server: greets, answers each line by `reply`, and may do anything to the socket. */
export async function startScriptedServer(
  reply: (line: string, socket: Socket) => string | null,
  greeting = "220 hi",
): Promise<{ port: number; close: () => void }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    if (greeting) socket.write(`${greeting}\r\n`);
    let rest = "";
    socket.on("data", (chunk) => {
      const lines = (rest + chunk.toString()).split("\r\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const answer = reply(line, socket);
        if (answer && socket.writable) socket.write(`${answer}\r\n`);
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Accepts everything but the commands in `answers`; `end` answers the end of the message. */
export function acceptingAll(answers: Record<string, string | null>): (line: string) => string | null {
  let inData = false;
  return (line) => {
    if (inData) {
      if (line !== ".") return null;
      inData = false;
      return answers.end === undefined ? "250 2.0.0 taken" : answers.end;
    }
    const verb = line.split(/[ :]/)[0]?.toUpperCase() ?? "";
    const answer = answers[verb];
    if (answer !== undefined) return answer;
    if (verb === "DATA") {
      inData = true;
      return "354 go on";
    }
    return verb === "EHLO" ? "250-scripted\r\n250 8BITMIME" : "250 2.0.0 ok";
  };
}
