import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DraftReader } from "./draft-reader.ts";

function read(pieces: string[], subject: boolean) {
  const reader = new DraftReader({ subject });
  const told = { subject: "", body: "" };
  for (const piece of [...pieces.flatMap((text) => reader.push(text)), ...reader.end()])
    told[piece.field] += piece.text;
  // The pieces that were emitted add up to the final text.
  expect(told).toEqual({ subject: reader.subject ?? "", body: reader.body });
  return { subject: reader.subject, body: reader.body };
}

const mail = "Subject: Your order {{ order }}\n\n<p>Hello {{ name }}</p>\n<p>Bye</p>";
const parts = { subject: "Your order {{ order }}", body: "<p>Hello {{ name }}</p>\n<p>Bye</p>" };

describe("an e-mail's answer", () => {
  test.each([
    ["as asked for", mail],
    ["with space around it", `\n \n${mail}\n\n`],
    ["with carriage returns", mail.replaceAll("\n", "\r\n")],
    ["with a bold word", mail.replace("Subject:", "**Subject:**")],
    [
      "with a bold line",
      mail.replace("Subject: Your order {{ order }}", "**subject:** Your order {{ order }}"),
    ],
    ["without an empty line", mail.replace("\n\n", "\n")],
    ["in a block of Markdown", `\`\`\`html\n${mail}\n\`\`\``],
    ["with its body in a block", `${mail.replace("\n\n", "\n\n```html\n")}\n\`\`\`\n`],
  ])("is split %s", (_name, text) => {
    expect(read([text], true)).toEqual({ ...parts, body: expect.any(String) as string });
    expect(read([text], true).body.replaceAll("\r", "")).toBe(parts.body);
  });

  test("without a subject has none, and its body is whole", () => {
    expect(read(["<p>Hello</p>"], true)).toEqual({ subject: null, body: "<p>Hello</p>" });
    const long = `<p>${"word ".repeat(50)}</p>`;
    expect(read([long], true)).toEqual({ subject: null, body: long });
  });

  test("may be only a subject", () => {
    expect(read(["Subject: Hello"], true)).toEqual({ subject: "Hello", body: "" });
  });
});

describe("any other answer", () => {
  test("is the body, without space and fences around it", () => {
    expect(read(["  Hello {{ name }}\nBye \n"], false).body).toBe("Hello {{ name }}\nBye");
    expect(read(["```\nHello\n```"], false).body).toBe("Hello");
    expect(read(["```text\nHello `x`\n```\n"], false).body).toBe("Hello `x`");
    expect(read(["Subject: to change"], false)).toEqual({ subject: null, body: "Subject: to change" });
    expect(read([""], false)).toEqual({ subject: null, body: "" });
  });
});

test("the chunk boundaries do not matter", () => {
  const texts = [mail, `\`\`\`mjml\n${mail}\n\`\`\``, "```\nHello `you`\n```", "Hello\n\n  you  ", "``x`` `"];
  fc.assert(
    fc.property(
      fc.constantFrom(...texts),
      fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 80 }),
      fc.boolean(),
      (text, lengths, subject) => {
        const pieces: string[] = [];
        for (let at = 0, i = 0; at < text.length; i++) {
          const length = lengths[i % lengths.length] ?? 1;
          pieces.push(text.slice(at, at + length));
          at += length;
        }
        expect(read(pieces, subject)).toEqual(read([text], subject));
      },
    ),
  );
});

test("any text is accepted, in any chunks", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "binary", maxLength: 80 }), { maxLength: 20 }),
      fc.boolean(),
      (pieces, subject) => {
        read(pieces, subject);
      },
    ),
  );
  for (const filler of [" ", "`", "\n", "*", "Subject:"]) read([filler.repeat(200_000)], true);
});
