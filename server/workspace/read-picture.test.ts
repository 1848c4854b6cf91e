import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DomainError } from "../kernel/errors.ts";
import { pngOf } from "../testing/pictures.ts";
import { readPicture } from "./read-picture.ts";
import { setLogoSchema, updateBrandingSchema } from "./schemas.ts";
import { contrast, logoLimits, textOn } from "./vocabulary.ts";

const bytes = (base64: string) => Buffer.from(base64, "base64");
const jpeg = bytes(
  "/9j/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAARABQDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAAAAX/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCMATwAAAAAH//Z",
);
const progressive = bytes(
  "/9j/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wgARCAARABQDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAP/xAAVAQEBAAAAAAAAAAAAAAAAAAAABP/aAAwDAQACEAMQAAABiE4AAH//xAAUEAEAAAAAAAAAAAAAAAAAAAAw/9oACAEBAAEFAh//xAAUEQEAAAAAAAAAAAAAAAAAAAAg/9oACAEDAQE/AR//xAAUEQEAAAAAAAAAAAAAAAAAAAAg/9oACAECAQE/AR//xAAUEAEAAAAAAAAAAAAAAAAAAAAw/9oACAEBAAY/Ah//xAAUEAEAAAAAAAAAAAAAAAAAAAAw/9oACAEBAAE/IR//2gAMAwEAAgADAAAAEAAAAP/EABQRAQAAAAAAAAAAAAAAAAAAACD/2gAIAQMBAT8QH//EABQRAQAAAAAAAAAAAAAAAAAAACD/2gAIAQIBAT8QH//EABQQAQAAAAAAAAAAAAAAAAAAADD/2gAIAQEAAT8QH//Z",
);
const lossy = bytes(
  "UklGRjoAAABXRUJQVlA4IC4AAADQAgCdASoUABEAPxGCuVWsKKWjKAgBgCIJZQAAPaOgAP7i3r/4i8qvWS1woAAA",
);
const lossless = bytes("UklGRh4AAABXRUJQVlA4TBEAAAAvEwAEAAfQvypUq/+BiOh/AAA=");
const transparent = bytes(
  "UklGRl4AAABXRUJQVlA4WAoAAAAQAAAAEwAAEAAAQUxQSAoAAAABB1DAiAhERP8DVlA4IC4AAADQAgCdASoUABEAPxGCuVWsKKWjKAgBgCIJZQAAPaOgAP7i3r/4i8qvWS1woAAA",
);
const pictures = [
  ["PNG", "png", pngOf(20, 17)],
  ["JPEG", "jpeg", jpeg],
  ["progressive JPEG", "jpeg", progressive],
  ["lossy WebP", "webp", lossy],
  ["lossless WebP", "webp", lossless],
  ["WebP with transparency", "webp", transparent],
] as const;

/** The code of the one complaint; the facts when there is none. */
function outcome(picture: Buffer): unknown {
  try {
    return readPicture(picture);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    expect(error.code).toBe("invalid_request");
    expect(error.errors).toMatchObject([{ pointer: "/picture" }]);
    return error.errors[0]?.code;
  }
}
const edited = (picture: Buffer, edit: (copy: Buffer) => void) => {
  const copy = Buffer.from(picture);
  edit(copy);
  return copy;
};

describe("a logo", () => {
  it.each(pictures)("%s: kind and dimensions are read from its bytes", (_name, kind, picture) => {
    expect(outcome(picture)).toEqual({ kind, width: 20, height: 17 });
  });

  it.each(pictures)(
    "%s: is refused with anything behind its end, or without its end",
    (_name, _kind, picture) => {
      const script = Buffer.from("<script>alert(1)</script>");
      expect(outcome(Buffer.concat([picture, script]))).toBe("trailing_data");
      expect(outcome(Buffer.concat([picture, Buffer.from("PK\u0003\u0004")]))).toBe("trailing_data");
      expect(outcome(picture.subarray(0, -2))).toBe("damaged");
    },
  );

  it.each([
    ["SVG", '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ["SVG behind a declaration and white space", '\uFEFF \n<?xml version="1.0"?><svg/>'],
    ["HTML", "<!doctype html><script>alert(1)</script>"],
    ["GIF", "GIF89a\u0001\u0000\u0001\u0000"],
    ["PDF", "%PDF-1.7"],
    ["nothing", ""],
    ["the first bytes of a PNG behind something else", " \u0089PNG\r\n"],
    ["a RIFF that is a film", "RIFF\u0004\u0000\u0000\u0000AVI "],
  ])("%s is none, whatever it is called", (_name, text) => {
    expect(outcome(Buffer.from(text, "latin1"))).toBe("not_allowed");
    expect(outcome(Buffer.from(text))).toBe("not_allowed");
  });

  it("has 16 to 1,024 pixels on each side, as declared; nothing is unpacked to find out", () => {
    for (const [width, height] of [
      [15, 16],
      [16, 15],
      [1_025, 16],
      [16, 1_025],
    ] as const)
      expect(outcome(pngOf(width, height))).toBe("wrong_dimensions");
    expect(outcome(pngOf(16, 1_024))).toMatchObject({ height: 1_024 });
    // Two thousand million pixels in a few bytes.
    expect(outcome(pngOf(20, 17, { said: 2_147_483_647 }))).toBe("wrong_dimensions");
    expect(outcome(edited(jpeg, (copy) => copy.writeUInt16BE(65_535, copy.indexOf("ffc0", "hex") + 7)))).toBe(
      "wrong_dimensions",
    );
    expect(outcome(edited(lossless, (copy) => copy.writeUInt32LE(0x0fff_ffff, 21)))).toBe("wrong_dimensions");
    // A part that unpacks to 100 MB stays packed.
    const bomb = deflateSync(Buffer.alloc(100_000_000));
    const before = process.memoryUsage().rss;
    expect(
      outcome(pngOf(20, 17, { parts: [["zTXt", Buffer.concat([Buffer.from("a\0\0"), bomb])]] })),
    ).toMatchObject({
      kind: "png",
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(20_000_000);
  });

  it("has at most 256 KiB, also as it is sent", () => {
    const padding = (length: number) => pngOf(20, 17, { parts: [["tEXt", Buffer.alloc(length)]] });
    const rest = padding(0).length;
    expect(outcome(padding(logoLimits.bytes - rest))).toMatchObject({ kind: "png" });
    expect(outcome(padding(logoLimits.bytes - rest + 1))).toBe("too_large");
    const longest = padding(logoLimits.bytes - rest).toString("base64");
    expect(setLogoSchema.safeParse({ picture: longest }).success).toBe(true);
    expect(setLogoSchema.safeParse({ picture: `${longest}AAAA` }).success).toBe(false);
    expect(setLogoSchema.safeParse({ picture: "no base64" }).success).toBe(false);
  });

  it("does not move, and is what its parts say", () => {
    expect(outcome(pngOf(20, 17, { parts: [["acTL", Buffer.alloc(8)]] }))).toBe("animated");
    expect(outcome(edited(transparent, (copy) => (copy[20] = 0x12)))).toBe("animated");
    // The canvas of one size around a picture of another; a checksum that does not fit; a second frame.
    expect(outcome(edited(transparent, (copy) => (copy[24] = 30)))).toBe("damaged");
    expect(outcome(edited(pngOf(20, 17), (copy) => (copy[20] = 1)))).toBe("damaged");
    const frame = jpeg.indexOf("ffc0", "hex");
    const twice = Buffer.concat([jpeg.subarray(0, frame + 19), jpeg.subarray(frame)]);
    expect(outcome(twice)).toBe("damaged");
  });

  it("any bytes are either taken or refused in words, in time that grows with their length", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...pictures),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 12 }),
        fc.nat(),
        ([, , picture], edits, cut) => {
          const changed = edited(picture, (copy) => {
            for (const [at, value] of edits) copy[at % copy.length] = value;
          });
          outcome(changed.subarray(0, changed.length - (cut % 3 === 0 ? cut % changed.length : 0)));
        },
      ),
      { numRuns: 2_000 },
    );
    for (const filler of [0xff, 0x00, 0xd0]) {
      const long = Buffer.concat([jpeg.subarray(0, -2), Buffer.alloc(250_000, filler)]);
      const begun = performance.now();
      outcome(long);
      outcome(Buffer.concat([jpeg.subarray(0, 2), Buffer.alloc(250_000, filler)]));
      expect(performance.now() - begun).toBeLessThan(250);
    }
  });
});

describe("an accent colour", () => {
  it("is six digits, and text on it can always be read", () => {
    const taken = (accent: string) =>
      updateBrandingSchema.safeParse({ accent, senderName: null, support: null }).success;
    expect(taken("#0A7f5a")).toBe(true);
    for (const not of ["red", "#fff", "#0a7f5a;", "#0a7f5a }", 'url("x")', "", "#0a7f5g"])
      expect(taken(not), not).toBe(false);
    expect(contrast("#000000", "#ffffff")).toBeCloseTo(21);
    expect(contrast("#767676", "#ffffff")).toBeCloseTo(4.54, 1);
    fc.assert(
      fc.property(fc.nat(0xff_ff_ff), (number) => {
        const colour = `#${number.toString(16).padStart(6, "0")}`;
        expect(contrast(colour, textOn(colour))).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });
});

describe("a support address", () => {
  it("is a mail address or an https address that carries no credentials and breaks out of nothing", () => {
    const taken = (support: string) =>
      updateBrandingSchema.safeParse({ accent: null, senderName: null, support }).success;
    for (const good of ["help@example.com", "https://help.example/a?b=c#d"])
      expect(taken(good), good).toBe(true);
    for (const bad of [
      "javascript:alert(1)",
      "http://help.example",
      "data:text/html,x",
      "mailto:help@example.com",
      "//help.example",
      "https://",
      "https://user:password@help.example",
      'https://help.example/"onmouseover=alert(1)',
      "https://help.example/<b>",
      "help@example.com?subject=x",
      "help",
      "a b@example.com",
    ])
      expect(taken(bad), bad).toBe(false);
  });
});
