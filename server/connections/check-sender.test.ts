import { expect, it } from "vitest";
import { senderProblem } from "./check-sender.ts";

const good = {
  sms: ["+4915112345678", "12345", "ACME", "Acme Shop 1", "A.B-C_D+E&F"],
  whatsapp: ["+4930123456"],
  email: ["shop@example.com", "Shop <shop@example.com>", '"Shop, Inc." <shop@example.com>'],
};
const bad = {
  sms: [
    "4915112345678901",
    "+0123456789",
    "+49",
    "TWELVE CHARS",
    "",
    " ACME",
    "12",
    "Grüße",
    "+49 151 1234567",
    "A\nB",
  ],
  whatsapp: ["ACME", "4930123456", "12345", "+49-30-123456"],
  email: ["shop", "shop@", "a@b.example, c@d.example", "Shop <shop@example.com", "a@b\r\nBcc: c@d.example"],
};

for (const channel of ["sms", "whatsapp", "email"] as const) {
  it(`takes ${channel} senders in the channel's own forms and no others`, () => {
    for (const sender of good[channel]) expect(senderProblem({ channel, sender }), sender).toBeNull();
    for (const sender of bad[channel]) expect(senderProblem({ channel, sender }), sender).not.toBeNull();
  });
}
