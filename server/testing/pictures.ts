import { crc32, deflateSync } from "node:zlib";

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/** A PNG of one colour, with more parts in its middle if they are given. */
export function pngOf(
  width: number,
  height: number,
  options: {
    colour?: readonly [number, number, number];
    parts?: readonly [string, Buffer][];
    said?: number;
  } = {},
): Buffer {
  const { colour = [10, 127, 90], parts = [], said = width } = options;
  const head = Buffer.alloc(13);
  head.writeUInt32BE(said, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const row = Buffer.concat([Buffer.from([0]), Buffer.concat(Array(width).fill(Buffer.from(colour)))]);
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", head),
    ...parts.map(([name, data]) => chunk(name, data)),
    chunk("IDAT", deflateSync(Buffer.concat(Array(height).fill(row)))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
