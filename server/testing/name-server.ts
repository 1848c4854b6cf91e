import { createSocket } from "node:dgram";
import { once } from "node:events";

/** A name server on this machine that knows TXT records and nothing else: enough of RFC 1035 for one question. Some names fail. */
export async function openNameServer(records: ReadonlyMap<string, readonly string[] | "fails">, port = 0) {
  const socket = createSocket("udp4");
  socket.on("message", (query, from) => {
    const { name, end } = questionOf(query);
    const known = records.get(name.toLowerCase());
    const texts = known === "fails" ? undefined : known;
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    // An authoritative answer; a name that is not there is NXDOMAIN, one that fails SERVFAIL.
    header.writeUInt16BE(known === "fails" ? 0x8402 : texts ? 0x8400 : 0x8403, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(texts?.length ?? 0, 6);
    const answers = (texts ?? []).map(textRecord);
    socket.send(Buffer.concat([header, query.subarray(12, end), ...answers]), from.port, from.address);
  });
  socket.bind(port, "127.0.0.1");
  await once(socket, "listening");
  return {
    address: `127.0.0.1:${String(socket.address().port)}`,
    close: () => new Promise<void>((done) => socket.close(done)),
  };
}

function questionOf(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("ascii", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join("."), end: at + 5 };
}

function textRecord(text: string): Buffer {
  const parts = text.match(/.{1,255}/g) ?? [""];
  const data = Buffer.concat(parts.map((part) => Buffer.from([part.length, ...Buffer.from(part)])));
  const head = Buffer.alloc(12);
  // The name is that of the question; type TXT, class IN, a minute.
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(16, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
