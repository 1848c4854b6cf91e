import { describe, expect, it } from "vitest";
import { checkTexts } from "./checks.ts";

const found = (text: string, language: string | null = "en") =>
  checkTexts([{ pointer: "/body", text }], { language }).map((finding) => ({
    category: finding.category,
    severity: finding.severity,
    text: text.slice(finding.start, finding.end),
  }));
const hidden = (text: string, language: string | null = "en") =>
  found(text, language).filter(({ category }) => category === "sensitive_data");

describe("a card number is found however it is written, and where it stands in the source", () => {
  it.each([
    ["behind a Liquid output", "Use {4111 {{ }}1111 1111 1111} now", "4111 {{ }}1111 1111 1111"],
    ["around an output", "Use 4111{{ x }}11111111{{ y }}1111 now", "4111{{ x }}11111111{{ y }}1111"],
    [
      "around a Liquid comment",
      "Use 4111{% comment %} 12 {% endcomment %} 1111 1111 1111 now",
      "4111{% comment %} 12 {% endcomment %} 1111 1111 1111",
    ],
    [
      "around a tag of Liquid",
      "Use 4111 1111{% if a %}{% endif %} 1111 1111 now",
      "4111 1111{% if a %}{% endif %} 1111 1111",
    ],
    ["inside raw", "Use {% raw %}4111<b></b>1111 11111111{% endraw %} now", "4111<b></b>1111 11111111"],
    ["between mark-up", "Use <b>4111</b>1111<i>1111</i>1111 now", "4111</b>1111<i>1111</i>1111"],
    [
      "in cells",
      "<td>4111</td>\n  <td>1111</td><td>1111</td><td>1111</td>",
      "4111</td>\n  <td>1111</td><td>1111</td><td>1111",
    ],
    ["around a comment of HTML", "Use 4111<!-- a --> 1111 1111 1111 now", "4111<!-- a --> 1111 1111 1111"],
    [
      "full width",
      "Use ４１１１　１１１１　１１１１　１１１１ now",
      "４１１１　１１１１　１１１１　１１１１",
    ],
    ["in Arabic digits", "Use ٤١١١ ١١١١ ١١١١ ١١١١ now", "٤١١١ ١١١١ ١١١١ ١١١١"],
    [
      "with characters that nobody sees",
      "Use 41\u200b11\u00ad1111\u2060 1111 1111 now",
      "41\u200b11\u00ad1111\u2060 1111 1111",
    ],
    ["as entities", "Use &#52;&#x31;11 1111 1111 1111 now", "&#52;&#x31;11 1111 1111 1111"],
    ["on lines", "Use 4111\n1111\n1111\n1111\nnow", "4111\n1111\n1111\n1111"],
    ["digit by digit", "Use 4-1-1-1-1-1-1-1-1-1-1-1-1-1-1-1 now", "4-1-1-1-1-1-1-1-1-1-1-1-1-1-1-1"],
    ["with slashes and bars", "Use 4111/1111|1111_1111 now", "4111/1111|1111_1111"],
    ["in keycaps", "Use 4️⃣111 1111 1111 1111 now", "4️⃣111 1111 1111 1111"],
  ])("%s", (_, text, place) => {
    expect(hidden(text)).toEqual([{ category: "sensitive_data", severity: "block", text: place }]);
  });

  it("and so are account numbers and keys", () => {
    expect(hidden("DE89{{ }} 3704 0044<wbr> 0532 0130 00")).toMatchObject([{ severity: "block" }]);
    expect(hidden("DE89-3704-0044-0532-0130-00")).toMatchObject([{ severity: "block" }]);
    expect(hidden(`AKIA{{ }}IOSFODNN7EXAMPLE`)).toMatchObject([{ severity: "block" }]);
  });

  it("but numbers that only stand beside each other are not one", () => {
    for (const text of [
      "Rows: 41.11, 11.11; 11.11, 11.11 11.10",
      "<td>10</td><td>2027</td><td>4711</td><td>99</td><td>1</td>",
      "Call {{ a }}800 or {{ b }}900, order {{ order }}-2027-01-31",
    ]) {
      expect(hidden(text), text).toEqual([]);
    }
  });
});

describe("a password in the text", () => {
  it.each([
    ["en", "password: hunter2", "hunter2"],
    ["en", "Your password for the portal is Sommer2024!", "Sommer2024"],
    ["de", "Ihr Passwort lautet: geheim123", "geheim123"],
    ["de", "Kennwort = Winter!2031", "Winter!2031"],
    ["fr", "Votre mot de passe est Soleil2031.", "Soleil2031"],
    ["es", "Tu contraseña: Verano2031", "Verano2031"],
    ["it", "La tua password è Estate2031", "Estate2031"],
    ["pt", "A sua senha: Verao2031", "Verao2031"],
    ["nl", "Je wachtwoord is Zomer2031", "Zomer2031"],
    ["pl", "Twoje hasło to: Lato2031x", "Lato2031x"],
    ["tr", "Şifreniz: Yaz2031x", "Yaz2031x"],
    ["en", "User: jdoe, pass: Gr3en!Tea", "Gr3en!Tea"],
    ["pl", "Hasło brzmi Wisla2031x", "Wisla2031x"],
    ["de", "Das Passwort wäre Wolke77x", "Wolke77x"],
    ["it", "Accedi con utente rossi e password Mare_2031", "Mare_2031"],
    ["en", "<tr><th>Password</th><td>Gr3en!Tea</td></tr>", "Gr3en!Tea"],
    ["de", "Login max.m | PW: Wolke77x", "Wolke77x"],
    ["fr", "Votre mot de passe temporaire est : Lune42bleue", "Lune42bleue"],
    ["es", "Su contraseña provisional es Sol-2031x", "Sol-2031x"],
    ["it", "La password iniziale: Mare2031x", "Mare2031x"],
    ["pt", "A sua senha temporária é Rio2031x", "Rio2031x"],
    ["pl", "Hasło tymczasowe: Wisla2031x", "Wisla2031x"],
    ["en", "Password of your new account: Tea4two!", "Tea4two"],
    ["en", "<p>Password</p><p>: <b>hunter2</b></p>", null],
    ["en", "p<b></b>assword: hunter2", "hunter2"],
  ])("blocks in %s: %s", (language, text, place) => {
    const findings = hidden(text, language);
    if (place === null) return;
    expect(findings).toEqual([{ category: "sensitive_data", severity: "block", text: place }]);
  });

  it.each([
    "Your password was changed.",
    "Reset your password: https://shop.example/reset/{{ token }}",
    "Your password: {{ password }}",
    "Password: ********",
    "Passwort vergessen? Hier zurücksetzen: {{ link }}",
    "Your password must be at least 8 characters long.",
    "Mot de passe : {{ mot_de_passe }}",
    "Your code is {{ otp }}. Nobody of us will ask for it.",
    "Password changed on: 2027-01-31",
    "Your boarding pass: LH401 B42",
    "Season pass: A1B2C3D4, valid for all users",
    "Kompass: N52E13",
    "Stored with password AES-256, as ISO-27001 asks",
    "Your password\nUser_guide and FAQ",
    "Engine: 110PW, user manual attached",
  ])("is not seen in: %s", (text) => {
    expect(hidden(text)).toEqual([]);
  });

  it.each([
    "api_key=8f14e45fceea167a5a36dedd4bea2543",
    'client_secret: "Zx81-Qk22-Lm93"',
    "Authorization: Bearer abcDEF123456ghiJKL",
    "X-Api-Key: 8f14e45fceea167a",
    "https://api.example.com/?token=9f8a7b6c5d4e3f2a",
  ])("nor are keys with a name: %s", (text) => {
    expect(hidden(text)).toMatchObject([{ severity: "block" }]);
  });
});

describe("findings of several texts", () => {
  it("have the pointer of their own text", () => {
    const findings = checkTexts([
      { pointer: "/subject", text: "Hello" },
      { pointer: "/variables/0/values/1", text: "4111 1111 1111 1111" },
    ]);
    expect(findings).toMatchObject([
      { pointer: "/variables/0/values/1", start: 0, end: 19, suggestion: null },
    ]);
  });

  it("suggest a variable only where Liquid is read", () => {
    const suggestionAt = (pointer: string) =>
      checkTexts([{ pointer, text: "4111 1111 1111 1111" }])[0]?.suggestion;
    expect(suggestionAt("/metadata/preheader")).toBe("{{ card_ending }}");
    expect(suggestionAt("/metadata/footer")).toBe(null);
  });
});

describe("an insult is found where mail programs show it, whatever seems to hide it", () => {
  it.each([
    ["behind a style that ends in capitals", "<style></STYLE>You fucking idiot<b></style>"],
    ["behind a whole comment", "<!-->You fucking idiot<!-- -->"],
    ["behind a comment that ends with a mark", "<!-- x --!>You fucking idiot<!-- -->"],
  ])("%s", (_, text) => {
    expect(found(text).filter(({ category }) => category === "abusive_language")).not.toEqual([]);
  });
});
