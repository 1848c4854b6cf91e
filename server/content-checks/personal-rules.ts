import {
  isAustrianId,
  isBelgianId,
  isBrazilianId,
  isDutchId,
  isFrenchId,
  isGermanTaxId,
  isItalianId,
  isPolishId,
  isPortugueseId,
  isSpanishId,
  isSwedishId,
  isSwissId,
  isTurkishId,
} from "./check-digits.ts";
import type { Rule, RuleExtent } from "./rules.ts";

/** A number that a state assigns to a person. `compact` takes it without separators, in capitals. */
function nationalId(
  country: string,
  pattern: string,
  compact: (text: string) => boolean,
  labels: Pick<Rule, "label" | "unlabelled"> = {},
): Rule {
  return {
    pattern: new RegExp(String.raw`(?<![A-Za-z0-9])(?<![\d,+.-])${pattern}(?![A-Za-z0-9]|[.,-]\d)`, "g"),
    severity: "block",
    ...labels,
    explanation: `This is a valid personal identification number (${country}). It may not stand in a text for many people.`,
    variable: "personal_id",
    hide: true,
    joins: true,
    real: (match) =>
      compact(match.replace(/[^A-Za-z0-9]/g, "").toUpperCase()) ? { offset: 0, length: match.length } : null,
  };
}

const always = () => true;

/**
 * Numbers with letters or a format of their own are recognised alone. Plain rows of nine to eleven digits are order
 * numbers far more often than people's, so they count only next to their name.
 */
const nationalIds: Rule[] = [
  nationalId(
    "France, NIR",
    String.raw`[12][ ]?\d{2}[ ]?\d{2}[ ]?(?:\d{2}|2[AB])[ ]?\d{3}[ ]?\d{3}[ ]?\d{2}`,
    isFrenchId,
  ),
  nationalId(
    "Italy, codice fiscale",
    String.raw`[A-Z]{6}[ ]?[0-9L-V]{2}[ABCDEHLMPRST][0-9L-V]{2}[ ]?[A-Z][0-9L-V]{3}[A-Z]`,
    isItalianId,
  ),
  nationalId("Brazil, CPF", String.raw`\d{3}\.\d{3}\.\d{3}-\d{2}`, isBrazilianId),
  nationalId("Belgium, national register", String.raw`\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}`, isBelgianId),
  nationalId("Switzerland, AHV", String.raw`756\.\d{4}\.\d{4}\.\d{2}`, isSwissId),
  nationalId("Spain, DNI or NIE", String.raw`(?:[XYZ][ -]?\d{7}|\d{8})[ -]?[A-HJ-NP-TV-Z]`, isSpanishId, {
    label: /\b(?:DNI|NIE|NIF|documento|identidad)\b/i,
    unlabelled: "warn",
  }),
  nationalId(
    "United Kingdom, National Insurance",
    String.raw`[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z][ ]?\d{2}[ ]?\d{2}[ ]?\d{2}[ ]?[A-D]`,
    always,
    { label: /\b(?:national insurance|NINO|NI (?:number|no))\b/i, unlabelled: "warn" },
  ),
  nationalId("United States, SSN", String.raw`(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}`, always, {
    label: /\b(?:SSN|social security)\b/i,
    unlabelled: "warn",
  }),
  nationalId("Germany, tax id", String.raw`\d{2}[ ]?\d{3}[ ]?\d{3}[ ]?\d{3}`, isGermanTaxId, {
    label: /steuer-?(?:id|nummer|identifikation)|\bIdNr\b|\btax id\b/i,
  }),
  nationalId(
    "the Netherlands, BSN",
    String.raw`\d{4}[ .]?\d{2}[ .]?\d{3}|\d{3}[ .]\d{3}[ .]\d{3}`,
    isDutchId,
    {
      label: /\bBSN\b|burgerservicenummer/i,
    },
  ),
  nationalId("Poland, PESEL", String.raw`\d{11}`, isPolishId, { label: /\bPESEL\b/i }),
  nationalId("Türkiye", String.raw`\d{11}`, isTurkishId, { label: /kimlik|\bT\.?C\.?(?![a-z])|\bTCKN\b/i }),
  nationalId("Portugal, NIF", String.raw`\d{3}[ ]?\d{3}[ ]?\d{3}`, isPortugueseId, {
    label: /\bNIF\b|contribuinte/i,
  }),
  nationalId("Austria, insurance number", String.raw`\d{4}[ ]?\d{6}`, isAustrianId, {
    label: /\bSVNR\b|sozialversicherung|versicherungsnummer/i,
  }),
  nationalId("Sweden, personal number", String.raw`(?:19|20)?\d{6}[-+]?\d{4}`, isSwedishId, {
    label: /personnummer|personal number/i,
  }),
];

/** Role mailboxes, in the languages in which customers write. */
const roles = new RegExp(
  `^(?:no-?_?reply|do-?not-?reply|info|support|help|hello|hi|hallo|hola|bonjour|ciao|contact|contacto|contatto|contato|kontakt|
   iletisim|bilgi|destek|office|team|service|services|kundenservice|kundendienst|klantenservice|servicio|servizio|clienti|
   clientes|clients|atendimento|ayuda|aide|ajuda|pomoc|biuro|bok|sales|vertrieb|ventas|vendite|vendas|orders?|shop|store|
   billing|invoices?|accounts?|rechnung|privacy|datenschutz|dpo|security|abuse|legal|press|jobs|careers|news|newsletter|
   marketing|unsubscribe|returns?|delivery|booking|reservations?|feedback|care|customer-?(?:care|service))(?:[.+-]|$)`.replace(
    /\s/g,
    "",
  ),
  "i",
);
/** Domains that nobody can own (RFC 2606, RFC 6761). */
const reserved = /(?:^|\.)(?:example|test|invalid|localhost|example\.(?:com|net|org))$/i;

/** Freephone numbers. */
const freephone =
  /^(?:\+|00)?(?:1[ ().-]{0,2}8(?:00|33|44|55|66|77|88)|\d{2,3}[ ().-]{0,2}80[08]|0[ ]?80[08])(?=\D|\d{5})/;

const whole = (match: string) => ({ offset: 0, length: match.length });

const phoneExplanation =
  "This is a phone number. If it is a person's, it goes to everyone who gets this message.";

/** Dates and passwords count next to the words that announce them; a lookbehind keeps those out of the finding. */
const birthLabels = String.raw`\b(?:born(?: on)?|date of birth|birth ?date|dob|geboren(?: am| op)?|geb\.|geburtsdatum|n[ée]e? le|date de naissance|nacid[oa] el|fecha de nacimiento|nat[oa] il|data di nascita|geboortedatum|urodzon[ya]|data urodzenia|nascid[oa] em|data de nascimento|do[ğg]um tarihi)`;
const passwordLabels = String.raw`(?:pass(?:word|wd|phrase|code)|pwd|passwort|kennwort|zugangswort|mot de passe|mdp|contrase[ñn]a|clave(?: de acceso)?|wachtwoord|has[łl]o|senha|palavra[- ]passe|parola(?: d['’]ordine)?|[şs]ifre|l[öo]senord|adgangskode|heslo)`;
/** What kind of password it is, in languages that say so behind the word. */
const passwordKinds = String.raw`(?:provisoire|temporaire|initiale?|actuelle?|personnelle?|de connexion|d['’]acc[èe]s|temporane[ao]|provvisori[ao]|iniziale|attuale|personale|d['’]accesso|nuov[ao]|temporal|provisional|inicial|actual|personal|nueva|tempor[áa]ri[ao]|provis[óo]ri[ao]|atual|pessoal|nova|tymczasowe|startowe|jednorazowe|pocz[ąa]tkowe|nowe)`;
/** What may stand between the word and its value: endings, whose password it is, and "is" or a sign. */
const passwordLink = String.raw`\p{L}{0,7}(?:[ ]${passwordKinds})?(?:[ ](?:for|to|of|für|zu[mr]?|pour|para|per|voor|do|dla|de|di|da|van|is for)(?:[ ][\p{L}\d.-]{1,20}){1,4}?)?(?:["']?[ \t]{0,2}(?:=>|[:=\uff1a]|->|→)[ \t]{0,3}|[ ](?:is|are|was|reads|ist|lautet|wäre|est|sera|es|será|è|sarà|luidt|jest|to|brzmi|é|now|=)(?::[ ]?|[ ]{1,2}(?:now[ ]|:[ ]?)?))`;

const dateLike = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}/;
/** Letters that a sentence would have in this place, where no password is meant. */
const ordinary =
  /^(?:https?:|www\.|mailto:|x{3,}|\*{3,}|[•●]{2,}|\.{3}|min|max|n\/a$|none$|null$|undefined$|true$|false$|your|dein|ihr|votre|placeholder)/i;

/** How grave a value after the word for a password is; null: it is none. */
function passwordIn(match: string): RuleExtent {
  const link =
    /^.{0,160}?(?:=>|[:=\uff1a]|->|→|[ ](?:is|are|was|reads|ist|lautet|wäre|est|sera|es|será|è|sarà|luidt|jest|to|brzmi|é|now))(?::[ ]?|[ \t]{0,3}(?:now[ ]|:[ ]?)?)["'«„“\u0060]?(?=[^\s]{3,64}$)/u.exec(
      match,
    );
  if (!link) return null;
  const offset = link[0].length;
  const value = match.slice(offset).replace(/[.!?)]{1,3}$/, "");
  if (value.length < 4 || ordinary.test(value) || dateLike.test(value)) return null;
  const extent = { offset, length: value.length };
  const letters = /\p{L}/u.test(value);
  if (letters && /\d/.test(value))
    return value.length >= 5 && !/^\d+[-+]?\p{L}+$/u.test(value) ? extent : null;
  if (letters && /[@#$%^&*!_+=?/\\|~[\]>]/.test(value) && !/[()]/.test(value)) return extent;
  if (/^\d{4,12}$/.test(value)) return extent;
  // Large letters inside a word.
  if (/^[a-z]+[A-Z]/.test(value) || /[a-z]{2}[A-Z]{2}/.test(value)) return extent;
  // One word and nothing after it, behind a sign: as likely a password as a remark.
  return letters && /[:=]/.test(link[0]) && /^[\p{L}-]{4,40}$/u.test(value)
    ? { ...extent, severity: "warn" }
    : null;
}

/** Personal data: identification numbers, addresses, telephone numbers, dates of birth, passwords. */
export const personalRules: Rule[] = [
  ...nationalIds,
  {
    pattern: new RegExp(
      String.raw`${passwordLabels}${passwordLink}["'«„“\u0060]?[^\s<{}"'«»„“”\u0060\ufffc,;]{4,64}`,
      "giu",
    ),
    severity: "block",
    explanation: "This looks like a password. Everyone who gets this message would know it.",
    variable: "password",
    hide: true,
    real: passwordIn,
  },
  {
    // Without a sign, or in the next cell: only what has letters, a digit and a mark that words and standards have not.
    pattern: new RegExp(
      String.raw`${passwordLabels}["']?[ \t\n]{1,3}(?=[^\s]{0,63}\d)(?=[^\s]{0,63}[@#$%^&*!_+?~])[^\s<{}"'«»„“”\u0060\ufffc,;:]{6,64}`,
      "giu",
    ),
    severity: "block",
    explanation: "This looks like a password. Everyone who gets this message would know it.",
    variable: "password",
    hide: true,
    real: (match) => {
      const offset = match.search(/\S{1,64}$/u);
      const value = match.slice(offset).replace(/[.!?)]{1,3}$/, "");
      const mixed = /\p{L}/u.test(value) && /\d/.test(value) && /[@#$%^&*!_+?~]/.test(value);
      return mixed && value.length >= 6 ? { offset, length: value.length } : null;
    },
  },
  {
    // Short for it, and for much else: only behind the name of an account.
    pattern: /(?<![\p{L}\d])(?:pass|pw|psw|pswd)[ ]{0,2}[:=][ ]{0,2}[^\s<{}"'«»„“”\u0060\ufffc,;]{4,64}/giu,
    severity: "block",
    label:
      /(?<![\p{L}\d])(?:user(?:[ _-]?(?:name|id))?|log[ -]?in|account|benutzer(?:name)?|nutzer(?:name)?|usuario|utilisateur|identifiant|utente|usu[áa]rio|utilizador|gebruiker(?:snaam)?|u[żz]ytkownik|kullan[ıi]c[ıi](?: ad[ıi])?)["']?[ ]{0,2}[:= ][^\n]{1,50}$/iu,
    explanation: "This looks like a password. Everyone who gets this message would know it.",
    variable: "password",
    hide: true,
    real: passwordIn,
  },
  {
    pattern:
      /(?<=\bPIN(?:[ ](?:is|ist|lautet|est|es|è|jest|é))?[ ]{0,2}[:=]?[ ]{1,2})\d{4,8}(?![\d\p{L}])/giu,
    severity: "warn",
    explanation: "This looks like a PIN. Everyone who gets this message would know it.",
    variable: "pin",
    hide: true,
  },
  {
    pattern:
      /(?<=\b(?:CVV2?|CVC2?|card verification (?:code|value)|security code of (?:the|your) card)[ ]{0,2}[:=]?[ ]{0,2})\d{3,4}(?![\d\p{L}])/giu,
    severity: "block",
    explanation: "This is a card's security code. It may not be sent in messages.",
    variable: "security_code",
    hide: true,
  },
  {
    pattern: new RegExp(
      String.raw`(?<=${birthLabels}[ ]{0,2}:?[ ]{0,2})(?:\d{1,2}[./-][ ]?\d{1,2}[./-][ ]?\d{4}|\d{4}-\d{2}-\d{2}|\d{1,2}\.? [\p{L}]{3,12}\.? (?:de )?\d{4})`,
      "giu",
    ),
    severity: "warn",
    explanation: "This is somebody's date of birth. It goes to everyone who gets this message.",
    variable: "date_of_birth",
    hide: false,
  },
  {
    pattern:
      /(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,8}\.[A-Za-z]{2,24}/g,
    severity: "warn",
    explanation: "This is an e-mail address. If it is a person's, it goes to everyone who gets this message.",
    variable: "contact_email",
    hide: false,
    real: (match) => {
      const at = match.indexOf("@");
      return roles.test(match.slice(0, at)) || reserved.test(match.slice(at + 1)) ? null : whole(match);
    },
  },
  {
    pattern: /(?<![\w+]|\d[ -])(?:\+|00)[1-9](?:[ ()./-]{0,2}\d){7,14}(?!\d)/g,
    severity: "warn",
    explanation: phoneExplanation,
    variable: "contact_phone",
    hide: false,
    real: (match) => (freephone.test(match) ? null : whole(match)),
  },
  {
    // National format: any row of digits could be one, so a word for it must precede it.
    pattern: /(?<![\w+]|\d[ -])\(?(?:0\d{1,4}\)?|\d{3}\)?)(?:[ ./-]{0,2}\d){6,9}(?!\d)/g,
    severity: "warn",
    label:
      /\b(?:tel|phone|call|mobile|cell|ruf|handy|mobil|téléphone|teléfono|telefono|telefone|móvil|portable|cellulare|bel|telefon\p{L}{0,6}|ara)[^\p{L}\d]{0,8}(?:\p{L}{1,12}[^\p{L}\d]{1,3}){0,2}$/iu,
    explanation: phoneExplanation,
    variable: "contact_phone",
    hide: false,
    real: (match) => (freephone.test(match) ? null : whole(match)),
  },
];
