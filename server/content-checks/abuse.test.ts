import { describe, expect, it } from "vitest";
import { checkTexts } from "./checks.ts";

const abuse = (text: string, language: string | null) =>
  checkTexts([{ pointer: "/body", text }], { language })
    .filter(({ category }) => category === "abusive_language")
    .map(({ start, end, severity }) => ({ severity, text: text.slice(start, end) }));

describe("abusive words", () => {
  it.each([
    ["en", "What an asshole", "asshole"],
    ["de", "So ein Arschloch", "Arschloch"],
    ["es", "Eso es una mierda", "mierda"],
    ["fr", "Quel connard", "connard"],
    ["it", "Che stronzo", "stronzo"],
    ["pt", "Vai para o caralho", "caralho"],
    ["nl", "Wat een klootzak", "klootzak"],
    ["pl", "Ty skurwysynu", "skurwysynu"],
    ["tr", "Orospu çocuğu", "Orospu"],
  ])("are found in %s: %s", (language, text, word) => {
    expect(abuse(text, language)).toContainEqual({ severity: "block", text: word });
    // Whatever language the template says that it is in.
    if (language !== "it") expect(abuse(text, null)).not.toEqual([]);
  });

  it.each([
    ["sh1t", "sh1t"],
    ["f.u.c.k", "f.u.c.k"],
    ["f u c k", "f u c k"],
    ["fuuuuck", "fuuuuck"],
    ["f*ck", "f*ck"],
    ["fuсk", "fuсk"],
    ["ｆｕｃｋ", "ｆｕｃｋ"],
    ["f<b></b>uck", "f<b></b>uck"],
    ["f&#117;ck", "f&#117;ck"],
    ["fu\u200bck", "fu\u200bck"],
    ["b!tch", "b!tch"],
    ["@sshole", "@sshole"],
  ])("are found in disguise: %s", (text, place) => {
    expect(abuse(`Well, ${text} then`, "en")).toEqual([{ severity: "block", text: place }]);
  });

  it.each([
    ["en", "The Galaxy A55 and the class of assistants in Scunthorpe"],
    ["en", "I am Dick van Dyke, pick a cocktail, size XXX, tit for tat"],
    ["de", "Bitte die dicke Pute in die Backform geben"],
    ["fr", "Une bitte d’amarrage, un retard de livraison, une salopette"],
    ["es", "El cono del cabezal, color negro"],
    ["it", "La regina ha comprato il pesce, nonostante il prezzo"],
    ["nl", "U kunt dit negeren; onderzoek naar kanker, pot met deksel"],
    ["pl", "Ciotka ma jajko, ustaw hasło, plik jest pusty"],
    ["pt", "Uma cerveja, a torneira e o saco"],
    ["tr", "Amacımız: sıkıntısız teslimat"],
  ])("are not seen in ordinary words of %s: %s", (language, text) => {
    expect(abuse(text, language)).toEqual([]);
    expect(abuse(text, null)).toEqual([]);
  });
});

describe("names and dishes", () => {
  it.each([
    ["it", "La visita dalla dott.ssa Cazzola è confermata"],
    ["it", "Bucatini alla puttanesca, oggi a pranzo"],
    ["en", "Try our puttanesca sauce"],
    ["pl", "Zapraszamy do gabinetu dr Kurwickiej"],
    ["it", "Ordine della sig.ra Anna Minchilli, pagamento ricevuto"],
    ["de", "Ihr Termin bei Frau Fick-Hansen ist am Montag"],
    ["fr", "Le pain bâtard de notre boulanger, deux pour un"],
    ["nl", "Onze teef heeft zes puppy's"],
    ["fr", "Un rendez-vous avec Salope-Durand est prévu"],
    ["sv", "Slutsen är stängd, sluter kl. 16"],
    ["en", "A blouse with a pussy bow"],
  ])("are not abuse in %s: %s", (language, text) => {
    expect(abuse(text, language)).toEqual([]);
  });

  it.each([
    ["it", "Dott. Cazzone, paghi", "Cazzone"],
    ["it", "Che gran Cazzata", "Cazzata"],
    ["de", "Herr Arschloch, zahlen Sie", "Arschloch"],
    ["fr", "Sale bâtard, paie", "Sale bâtard"],
    ["fr", "Bande de bâtards", "Bande de bâtards"],
    ["nl", "Vuile teef, betaal", "Vuile teef"],
  ])("do not excuse abuse in %s: %s", (language, text, place) => {
    expect(abuse(text, language)).toContainEqual({ severity: "block", text: place });
  });
});

describe("threats of any person and time", () => {
  it.each([
    ["de", "Zahl, sonst machen wir dich fertig."],
    ["es", "Paga o te rompemos las piernas."],
    ["fr", "On va vous casser la gueule."],
    ["it", "Paga o ti spezzeremo le gambe."],
    ["nl", "Anders slaan we je in elkaar."],
    ["pl", "Zapłać, bo cię zniszczymy."],
    ["pt", "Paga ou vamos te arrebentar."],
    ["tr", "Sizi mahvederiz."],
    ["en", "Scum like you should be shot."],
    ["de", "Leute wie du gehören erschossen."],
    ["en", "Or we'll burn your car."],
    ["fr", "Vous allez crever."],
    ["de", "Du wirst verrecken."],
    ["es", "Vas a morir."],
    ["tr", "Gebereceksin."],
    ["pl", "Odwal się, palancie."],
    ["pt", "Seus porcos, paguem."],
    ["nl", "Jullie zijn mongolen."],
  ])("are found in %s: %s", (language, text) => {
    expect(abuse(text, language)).toMatchObject([{ severity: "block" }]);
  });

  it.each([
    ["en", "People like you are crazy about our deals."],
    ["en", "People like you should book early; shoot us a message."],
    ["de", "Leute wie du haben uns gewählt. Wir machen dich fit."],
    ["es", "Te rompemos los precios: hasta -50 %."],
    ["nl", "We slaan je bestelling op."],
    ["tr", "Sizi bekleriz, fiyatları vururuz."],
  ])("are not seen in %s: %s", (language, text) => {
    expect(abuse(text, language)).toEqual([]);
  });

  it.each([
    ["en", "Y-o-u  are a  m o r o n"],
    ["en", "You m.o.r.o.n, pay"],
    ["en", "You are a m0r0n"],
    ["de", "Du T r o t t e l"],
  ])("and insults are found with their letters set apart or replaced in %s: %s", (language, text) => {
    expect(abuse(text, language)).toMatchObject([{ severity: "block" }]);
  });
});

describe("insults, threats and statements against groups", () => {
  it.each([
    ["en", "You are a useless idiot.", "You are a useless idiot"],
    ["de", "Sie Trottel haben nicht bezahlt.", "Sie Trottel"],
    ["es", "Eres un estúpido.", "Eres un estúpido"],
    ["fr", "Tu es vraiment un crétin.", "Tu es vraiment un crétin"],
    ["it", "Sei un cretino.", "Sei un cretino"],
    ["tr", "Aptal mısın?", null],
    ["en", "Pay, or we will break your legs.", "break your legs"],
    ["de", "Wir wissen wo du wohnst.", "wissen wo du wohnst"],
    ["en", "Immigrants are vermin.", "Immigrants are vermin"],
    ["en", "Muslims are a cancer.", "Muslims are a cancer"],
    ["de", "Diese Ausländer sind doch alle kriminell.", "Ausländer sind doch alle kriminell"],
    ["pl", "Nienawidzę kobiet.", "Nienawidzę kobiet"],
    ["en", "Women do not deserve rights.", "Women do not deserve"],
    ["en", "Someone should hang those immigrants.", null],
  ])("are found in %s: %s", (language, text, place) => {
    const findings = abuse(text, language);
    expect(findings).toMatchObject([{ severity: "block" }]);
    if (place !== null) expect(findings[0]?.text).toBe(place);
  });

  it.each([
    "Breast cancer is the most common cancer in women. Book your screening.",
    "We hate to see you go, {{ name }}.",
    "Stop violence against women: support us.",
    "It is wrong to say that immigrants are criminals.",
    "I don't hate women.",
    "No woman should be killed.",
    "Women's shoes: killer deals until Sunday!",
    "You are not a loser, {{ name }}: try again.",
    "Frauen erkranken seltener an Grippe; bitte lassen Sie sich impfen.",
    "Les femmes de plus de 50 ans sont invitées au dépistage du cancer.",
  ])("are not seen in: %s", (text) => {
    expect(abuse(text, "en")).toEqual([]);
    expect(abuse(text, null)).toEqual([]);
  });
});
