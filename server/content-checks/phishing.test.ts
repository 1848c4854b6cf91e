import { describe, expect, it } from "vitest";
import { checkTexts } from "./checks.ts";

const found = (text: string) =>
  checkTexts([{ pointer: "/body", text }], { language: null })
    .filter(({ category }) => category === "policy_violation" || category === "non_compliant_claim")
    .map(({ start, end, category, severity }) => ({ category, severity, text: text.slice(start, end) }));

describe("signs of phishing warn, and say where", () => {
  it.each([
    [
      "Your account will be suspended. Verify your identity within 24 hours: https://shop.example/v",
      "Verify your identity",
    ],
    ["Ihr Konto wird gesperrt. Bestätigen Sie sofort Ihre Daten: https://shop.example/v", null],
    ["Su cuenta será bloqueada. Verifique hoy sus datos: https://shop.example/v", null],
    ["Votre compte sera suspendu. Confirmez votre identité sous 24 heures : https://shop.example/v", null],
    ["Il tuo conto sarà bloccato. Conferma subito i tuoi dati: https://shop.example/v", null],
    ["Uw rekening wordt geblokkeerd. Bevestig vandaag uw gegevens: https://shop.example/v", null],
    ["Twoje konto zostanie zablokowane. Zweryfikuj natychmiast swoje dane: https://shop.example/v", null],
    ["A sua conta será bloqueada. Confirme hoje os seus dados: https://shop.example/v", null],
    ["Hesabınız kapatılacak. Hemen bilgilerinizi doğrulayın: https://shop.example/v", null],
    ["Reply with your PIN and card number.", "Reply with your PIN"],
    ["Antworten Sie mit Ihrem Passwort.", "Antworten Sie mit Ihrem Passwort"],
    ["See http://203.0.113.7/pay", "http://203.0.113.7"],
    ["See https://xn--pypal-4ve.com/", "https://xn--pypal-4ve.com"],
    ["See https://paypa1.com/login", "https://paypa1.com"],
    ["See https://arnazon.com/", "https://arnazon.com"],
    ["See https://secure-paypal-login.com/", "https://secure-paypal-login.com"],
    ["See https://paypal.com.evil.ru/x", "https://paypal.com.evil.ru"],
    ["See https://paypal.com@evil.example/", "https://paypal.com@evil.example"],
    ['<a href="https://evil.example/x">https://mybank.com/login</a>', "https://mybank.com/login"],
  ])("%s", (text, place) => {
    const findings = found(text);
    expect(findings).toContainEqual(
      expect.objectContaining({ category: "policy_violation", severity: "warn" }),
    );
    expect(findings.every(({ severity }) => severity === "warn")).toBe(true);
    if (place !== null) expect(findings.map((finding) => finding.text)).toContain(place);
  });

  it.each([
    "Please confirm your e-mail address: {{ link }}",
    "Your code is {{ code }}. Never share it with anybody.",
    "We will never ask for your password or PIN.",
    "Enter this code on the website within 10 minutes.",
    "See https://www.paypal.com/invoice/{{ id }} and https://amazon.co.uk/",
    "Your order has been closed. Thank you!",
    '<a href="https://shop.example/x">Track your parcel</a>',
    '<a href="https://www.shop.example/x">shop.example</a>',
  ])("nothing in: %s", (text) => {
    expect(found(text)).toEqual([]);
  });
});

describe("claims warn, and say where", () => {
  it.each([
    ["Guaranteed 12% return every month", "Guaranteed 12% return"],
    ["Invest now with no risk at all", "Invest now with no risk"],
    ["Unser Öl heilt Krebs", "heilt Krebs"],
    ["Perca 15 kg em 7 dias", "Perca 15 kg"],
    ["Congratulations, you have won a new phone", "Congratulations, you have won"],
    ["Garantierte Rendite von 20 %", "Garantierte Rendite"],
    ["Duplica tu dinero en un mes", "Duplica tu dinero"],
    ["Nos gélules guérissent l’arthrose", "guérissent l’arthrose"],
    ["La tisana cura la depressione", "cura la depressione"],
    ["Gegarandeerd rendement voor iedereen", "Gegarandeerd rendement"],
    ["Pewny zysk co tydzień", "Pewny zysk"],
    ["Yatırımınız için garantili kazanç", "garantili kazanç"],
  ])("%s", (text, place) => {
    const findings = found(text);
    expect(findings).toContainEqual(
      expect.objectContaining({ category: "non_compliant_claim", severity: "warn" }),
    );
    expect(findings.map((finding) => finding.text)).toContain(place);
  });

  it.each([
    "Two-year guarantee on every bike. Free returns within 30 days.",
    "We cannot guarantee profits.",
    "There is no cure for diabetes yet; come to our talk.",
    "Lose no time: the sale ends today.",
    "Sichere Zahlung und 14 Tage Rückgaberecht.",
  ])("nothing in: %s", (text) => {
    expect(found(text)).toEqual([]);
  });
});
