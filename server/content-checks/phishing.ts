/**
 * Signs of phishing, for people to look at: honest security mails use some of the same words. Linear in the length of
 * the text.
 */
import type { AbuseLanguage } from "./abuse-words.ts";
import type { Place } from "./checks.ts";
import { LexiconIndex, sentencesOf } from "./lexicon.ts";
import type { MappedText, TextViews } from "./normalise.ts";
import type { Word } from "./text-words.ts";

interface PhishingWords {
  /** To hand something over in an answer. */
  send: string;
  /** To type something in. */
  enter: string;
  /** What nobody asks for. */
  secret: string;
  /** Codes, which honest messages name, too. */
  code: string;
  act: string;
  account: string;
  /** What happens otherwise. */
  threat: string;
  urgent: string;
  not: string;
  fresh: string;
}

const lexicons: Record<AbuseLanguage, PhishingWords> = {
  en: {
    send: `send, reply, text us, email us, respond, forward, tell us, give us, share with us, answer, return`,
    enter: `enter, submit, provide, confirm, verify, validate, update, type, fill in, supply, re enter`,
    secret: `password, passwords, pin, pins, cvv, cvc, card number, card details, credit card, debit card, card data, bank details, banking details, login details, login credentials, credentials, username and password, social security number, ssn, seed phrase, recovery phrase, private key, mother s maiden name, security answers`,
    code: `code, codes, otp, passcode, verification code, security code`,
    act: `verify, confirm, update, validate, unlock, restore, reactivate, sign in, log in, login, click, claim, secure, review, authenticate, re activate, appeal`,
    account: `account, accounts, identity, payment method, payment details, payment information, billing information, billing details, card, bank, wallet, profile, membership, mailbox, access, apple id, details, information`,
    threat: `suspended, suspend, suspension, closed, closure, blocked, locked, limited, restricted, deactivated, terminated, deleted, disabled, frozen, legal action, arrest, prosecuted, destroyed, forfeited, seized, permanently, lose access, unusual activity, unauthorized, unauthorised, compromised`,
    urgent: `immediately, urgent, urgently, within 24 hours, within 48 hours, within 12 hours, 24 hours, 48 hours, 12 hours, 24h, 48h, hours, minutes, today, now, expires, final notice, last warning, last chance, as soon as possible, asap, or else, otherwise, failure to, avoid, by tonight`,
    not: `never, not, dont, nobody, no, wont`,
    fresh: `new, forgot, forgotten, reset, choose, change`,
  },
  de: {
    send: `senden, sende, schicken, schicke, antworten, antworte, mitteilen, teilen, ubermitteln, nennen, weiterleiten, mailen`,
    enter: `eingeben, geben, gib, bestatigen, bestatige, aktualisieren, aktualisiere, verifizieren, angeben, ausfullen, eintragen, hinterlegen, uberprufen`,
    secret: `passwort, passworter, kennwort, pin, tan, tans, kartennummer, kreditkartennummer, kreditkartendaten, kartendaten, bankdaten, kontodaten, zugangsdaten, anmeldedaten, benutzername und passwort, prufziffer, cvv, sozialversicherungsnummer, iban und pin, online banking daten`,
    code: `code, codes, bestatigungscode, sicherheitscode`,
    act: `bestatigen, bestatige, verifizieren, verifiziere, aktualisieren, aktualisiere, freischalten, entsperren, reaktivieren, anmelden, einloggen, klicken, klicke, klick, uberprufen, legitimieren, wiederherstellen`,
    account: `konto, konten, account, identitat, zahlungsdaten, zahlungsmethode, karte, bank, daten, zugang, profil, postfach, mitgliedschaft, angaben`,
    threat: `gesperrt, sperren, sperrung, gesperrt, geschlossen, eingeschrankt, deaktiviert, geloscht, blockiert, gekundigt, eingefroren, rechtliche schritte, anzeige, verhaftet, verfallt, dauerhaft, ungewohnliche, verdachtige, unbefugt*`,
    urgent: `sofort, umgehend, dringend, unverzuglich, innerhalb von 24 stunden, innerhalb von 48 stunden, 24 stunden, 48 stunden, 24h, stunden, minuten, heute, jetzt, lauft ab, letzte mahnung, letzte warnung, sonst, andernfalls, ansonsten`,
    not: `nie, niemals, nicht, niemand, kein, keine, keinen`,
    fresh: `neues, neue, neuen, vergessen, zurucksetzen, andern, wahlen`,
  },
  es: {
    send: `envie, envia, enviar, envienos, envianos, responda, responde, responder, conteste, contesta, mandenos, mandanos, mande, manda, comunique, indiquenos, reenvie`,
    enter: `introduzca, introduce, ingrese, ingresa, proporcione, proporciona, confirme, confirma, verifique, verifica, actualice, actualiza, facilite, rellene`,
    secret: `contrasena, contrasenas, clave, claves, pin, numero de tarjeta, datos de tarjeta, datos de su tarjeta, datos de tu tarjeta, datos bancarios, datos de acceso, credenciales, cvv, numero de seguridad social, frase semilla, usuario y contrasena, tarjeta de coordenadas`,
    code: `codigo, codigos, otp`,
    act: `verifique, verifica, verificar, confirme, confirma, confirmar, actualice, actualiza, actualizar, desbloquee, desbloquea, desbloquear, reactive, reactiva, inicie sesion, inicia sesion, acceda, accede, haga clic, haz clic, pulse, pinche, valide, valida, restablecer`,
    account: `cuenta, cuentas, identidad, datos de pago, metodo de pago, tarjeta, banco, datos, perfil, acceso, informacion, buzon`,
    threat: `suspendida, suspendido, suspenderemos, suspension, cerrada, cerrado, cierre, bloqueada, bloqueado, bloquearemos, limitada, limitado, desactivada, desactivado, eliminada, eliminado, cancelada, acciones legales, embargo, multa, permanentemente, inusual, sospechosa, no autorizado`,
    urgent: `inmediatamente, urgente, urgentemente, 24 horas, 48 horas, 24h, horas, minutos, hoy, ahora, expira, caduca, ultimo aviso, ultima oportunidad, de lo contrario, cuanto antes, evitar`,
    not: `nunca, no, jamas, nadie`,
    fresh: `nueva, nuevo, olvidado, olvidaste, restablecer, cambiar, crear`,
  },
  fr: {
    send: `envoyez, envoie, envoyer, repondez, reponds, repondre, transmettez, communiquez, donnez, indiquez nous, faites nous parvenir, renvoyez`,
    enter: `saisissez, saisir, entrez, entrer, fournissez, fournir, confirmez, confirmer, verifiez, verifier, renseignez, remplissez, mettez a jour`,
    secret: `mot de passe, mots de passe, code pin, pin, numero de carte, numero de carte bancaire, numero de votre carte, coordonnees bancaires, donnees bancaires, identifiants, codes d acces, cryptogramme, cvv, numero de securite sociale, rib et code, votre numero, identifiant et mot de passe`,
    code: `code, codes, otp`,
    act: `verifiez, verifier, confirmez, confirmer, mettez a jour, actualisez, debloquez, debloquer, reactivez, connectez vous, connectez, cliquez, validez, valider, regularisez, regulariser, retablir, renouvelez`,
    account: `compte, comptes, identite, moyen de paiement, informations de paiement, carte, banque, donnees, profil, acces, informations, boite mail, dossier`,
    threat: `suspendu, suspendue, suspension, ferme, fermeture, cloture, bloque, bloquee, blocage, limite, restreint, desactive, supprime, resilie, poursuites, saisie, amende, definitivement, inhabituelle, suspecte, non autorise*, expire*`,
    urgent: `immediatement, urgent, urgence, sous 24 heures, 24 heures, 48 heures, 24h, 48h, heures, minutes, aujourd hui, maintenant, expire, dernier avis, dernier rappel, derniere chance, sans quoi, sinon, faute de quoi, au plus vite, eviter`,
    not: `jamais, pas, ne, aucun, personne`,
    fresh: `nouveau, nouvel, oublie, reinitialiser, changer, choisir, creer`,
  },
  it: {
    send: `invia, inviaci, inviare, inviateci, invii, rispondi, risponda, rispondere, rispondete, comunica, comunicaci, comunicare, mandaci, manda, forniscici, inoltra`,
    enter: `inserisci, inserire, inserisca, inserite, fornisci, fornire, conferma, confermare, confermi, verifica, verificare, aggiorna, aggiornare, compila, digita`,
    secret: `password, pin, numero di carta, numero della carta, dati della carta, dati della tua carta, dati bancari, credenziali, cvv, codice fiscale e, dati di accesso, codici di accesso, frase di recupero, coordinate bancarie`,
    code: `codice, codici, otp`,
    act: `verifica, verificare, verifichi, conferma, confermare, confermi, aggiorna, aggiornare, sblocca, sbloccare, riattiva, riattivare, accedi, accedere, acceda, clicca, cliccare, convalida, ripristina, ripristinare`,
    account: `conto, account, identita, dati di pagamento, metodo di pagamento, carta, banca, dati, profilo, accesso, informazioni, casella, utenza`,
    threat: `sospeso, sospesa, sospensione, chiuso, chiusa, chiusura, bloccato, bloccata, blocco, limitato, limitata, disattivato, disattivata, eliminato, cancellato, azioni legali, multa, pignoramento, definitivamente, insolita, sospetta, non autorizzato, scade, scaduto`,
    urgent: `immediatamente, subito, urgente, urgentemente, entro 24 ore, 24 ore, 48 ore, 24h, ore, un ora, minuti, oggi, adesso, scade, ultimo avviso, ultima possibilita, altrimenti, quanto prima, evitare`,
    not: `mai, non, nessuno`,
    fresh: `nuova, nuovo, dimenticato, reimpostare, cambiare, scegli, crea`,
  },
  nl: {
    send: `stuur, sturen, antwoord, antwoorden, beantwoord, mail, deel, geef, geven, app, sms, doorgeven, verstuur, reageer`,
    enter: `voer, vul, invullen, invoeren, bevestig, bevestigen, verifieer, verifieren, verstrek, controleer, actualiseer, werk bij`,
    secret: `wachtwoord, wachtwoorden, pincode, pin, kaartnummer, creditcardnummer, creditcardgegevens, kaartgegevens, bankgegevens, inloggegevens, cvv, cvc, tan code, burgerservicenummer, gebruikersnaam en wachtwoord, bankpas, beveiligingscode`,
    code: `code, codes, verificatiecode, otp`,
    act: `verifieer, verifieren, bevestig, bevestigen, update, bijwerken, werk, deblokkeer, deblokkeren, heractiveer, log in, inloggen, klik, valideer, herstel, herstellen, controleer`,
    account: `account, accounts, rekening, identiteit, betaalgegevens, betaalmethode, kaart, bankpas, bank, gegevens, profiel, toegang, postvak`,
    threat: `geblokkeerd, blokkeren, blokkade, geschorst, opgeschort, gesloten, afgesloten, beperkt, gedeactiveerd, verwijderd, beeindigd, bevroren, juridische stappen, deurwaarder, beslag, boete, definitief, permanent, ongebruikelijke, verdachte, verloopt`,
    urgent: `onmiddellijk, direct, meteen, dringend, spoed, binnen 24 uur, 24 uur, 48 uur, 24h, uur, minuten, vandaag, nu, verloopt, laatste waarschuwing, laatste herinnering, laatste kans, anders, zo snel mogelijk, voorkomen`,
    not: `nooit, niet, niemand, geen`,
    fresh: `nieuw, nieuwe, vergeten, resetten, wijzigen, kies`,
  },
  pl: {
    send: `wyslij, wyslac, przeslij, przeslac, odpowiedz, odpisz, odpowiedziec, przekaz, prosze przeslac, podeslij, przeslijcie`,
    enter: `podaj, podac, wpisz, wpisac, wprowadz, wprowadzic, potwierdz, potwierdzic, zweryfikuj, uzupelnij, zaktualizuj, wypelnij`,
    secret: `haslo, hasla, pin, pin u, numer karty, numer pin, dane karty, dane kart, danych karty, dane logowania, danych logowania, login i haslo, cvv, cvc, pesel, dane bankowe, kod blik`,
    code: `kod, kody, kodu, otp`,
    act: `zweryfikuj, zweryfikowac, potwierdz, potwierdzic, zaktualizuj, zaktualizowac, odblokuj, odblokowac, reaktywuj, zaloguj, kliknij, przywroc, oplac, doplac, ureguluj`,
    account: `konto, konta, koncie, kont, tozsamosc, tozsamosci, dane platnosci, metoda platnosci, karta, karty, bank, banku, dane, profil, dostep, dostepu, skrzynka, przesylka, przesylki`,
    threat: `zawieszone, zawieszony, zawieszenie, zablokowane, zablokowany, zablokowana, blokada, zamkniete, zamknieciem, ograniczone, dezaktywowane, usuniete, wygasnie, windykacja, komornik, sad, kary, trwale, podejrzana, podejrzane, nietypowa, nieautoryzowan*, zwrocona, odlaczony, odciecie`,
    urgent: `natychmiast, pilne, pilnie, niezwlocznie, w ciagu 24 godzin, 24 godzin, 48 godzin, 24h, godzin, minut, dzisiaj, dzis, teraz, wygasa, ostatnie ostrzezenie, ostatnia szansa, w przeciwnym razie, inaczej, jak najszybciej, uniknac`,
    not: `nigdy, nie, nikomu, nikt`,
    fresh: `nowe, nowego, zapomniane, zresetuj, zmien, ustaw`,
  },
  pt: {
    send: `envie, envia, enviar, envie nos, responda, responde, responder, mande, manda, informe nos, comunique, encaminhe, partilhe connosco`,
    enter: `introduza, insira, inserir, digite, forneca, fornecer, informe, confirme, confirmar, verifique, verificar, atualize, atualizar, preencha, indique`,
    secret: `senha, senhas, palavra passe, palavras passe, pin, numero do cartao, dados do cartao, dados do seu cartao, dados bancarios, dados de acesso, credenciais, cvv, cpf e senha, usuario e senha, token do banco, chave de acesso, codigo de seguranca do cartao`,
    code: `codigo, codigos, otp`,
    act: `verifique, verificar, confirme, confirmar, atualize, atualizar, desbloqueie, desbloquear, reative, reativar, aceda, acesse, inicie sessao, faca login, clique, valide, validar, regularize, restaurar`,
    account: `conta, contas, identidade, dados de pagamento, metodo de pagamento, cartao, banco, dados, perfil, acesso, informacoes, caixa de correio, cadastro, cpf`,
    threat: `suspensa, suspenso, suspensao, encerrada, encerrado, encerramento, bloqueada, bloqueado, bloqueio, limitada, limitado, desativada, desativado, eliminada, cancelada, cancelado, processo judicial, multa, penhora, definitivamente, permanentemente, incomum, suspeita, nao autorizad*, apreendida`,
    urgent: `imediatamente, urgente, urgentemente, 24 horas, 48 horas, 24h, horas, minutos, hoje, agora, expira, ultimo aviso, ultima chance, ultima oportunidade, caso contrario, senao, o quanto antes, evitar`,
    not: `nunca, nao, jamais, ninguem`,
    fresh: `nova, novo, esqueceu, redefinir, alterar, criar, escolha`,
  },
  tr: {
    send: `gonder*, yanit*, cevap*, ilet*, bildir*, paylas*, yolla*`,
    enter: `gir*, girin*, dogrula*, onayla*, guncelle*, doldur*, yaz*`,
    secret: `sifre*, sifreniz*, parola*, pin, kart numara*, kart bilgi*, kredi karti*, banka bilgi*, giris bilgi*, kullanici adi ve sifre, cvv, cvc, t c kimlik, tckn, internet bankaciligi`,
    code: `kod, kodu, kodunuzu, kodunu, onay kodu, dogrulama kodu`,
    act: `dogrula*, onayla*, guncelle*, tikla*, giris yap*, aktif et*, ac*, yenile*, basvur*, ode*`,
    account: `hesap, hesabiniz*, hesabi*, hesabin*, kimlik*, kart*, banka*, bilgi*, profil*, erisim*, odeme bilgi*, uyelik*`,
    threat: `askiya*, kapat*, kapan*, bloke*, kilitlen*, kisitlan*, engellen*, silin*, iptal*, dondur*, yasal islem*, icra*, haciz*, ceza*, kalici*, supheli*, yetkisiz*, olagandisi*`,
    urgent: `hemen, acil, acilen, derhal, 24 saat, 48 saat, saat, dakika, bugun, simdi, son uyari, son sans, aksi halde, aksi takdirde, yoksa, en kisa surede, sona er*`,
    not: `asla, hicbir, degil, kimse*, paylasmay*, istemez*, istemey*, vermey*`,
    fresh: `yeni, unuttu*, sifirla*, degistir*, belirle*`,
  },
};

type Kind = keyof PhishingWords;
let lexicon: LexiconIndex<AbuseLanguage, Kind> | undefined;

const askExplanation =
  "This asks people for a password, PIN, code or card data. Messages that do so look like phishing, and teach people to answer such.";
const pressureExplanation =
  "A warning about an account, a demand to act and haste: this is how phishing looks. Say it calmly, and let people find the place by themselves.";

/** Signs of phishing in a text, all of them warnings. */
export function* phishingIn(views: TextViews): Generator<Place> {
  yield* linkSigns(views.written);
  yield* falseLabels(views.written);
  const { visible, words } = views;
  yield* pressure(visible, words, /https?:\/\/|www\.|href=|\{\{/i.test(views.written.text));
}

const warning = (view: MappedText, start: number, end: number, explanation: string): Place => ({
  category: "policy_violation",
  severity: "warn",
  explanation,
  ...view.sourceOf(start, end),
});

interface Sign {
  first: Word;
  last: Word;
  index: number;
}

function* pressure(view: MappedText, all: readonly Word[], hasLink: boolean): Generator<Place> {
  lexicon ??= new LexiconIndex(lexicons);
  const { text } = view;
  const bit = (kind: Kind) => lexicon?.bit(kind) ?? 0;
  const demands = new Map<AbuseLanguage, Sign>();
  const threats = new Map<AbuseLanguage, number>();
  const haste = new Map<AbuseLanguage, number>();
  const said = new Set<AbuseLanguage>();
  let number = -1;
  for (const { words } of sentencesOf(text, all)) {
    number += 1;
    for (const [language, own] of lexicon.marks(words, 0)) {
      const places = (kind: Kind) => own.flatMap((bits, at) => (bits & bit(kind) ? [at] : []));
      const near = (kind: Kind, at: number, reach: number) =>
        places(kind).find((place) => place !== at && Math.abs(place - at) <= reach);
      const has = (kind: Kind) => own.some((bits) => bits & bit(kind));
      const negated = has("not");
      if (!negated) {
        for (const at of [...places("secret"), ...places("code")]) {
          const isSecret = ((own[at] ?? 0) & bit("secret")) !== 0;
          const send = near("send", at, 8);
          const enter = isSecret ? near("enter", at, 6) : undefined;
          const from =
            send ??
            (enter !== undefined && (has("urgent") || has("threat") || threats.has(language))
              ? enter
              : undefined);
          if (from === undefined || has("fresh")) continue;
          const [a, b] = [words[Math.min(from, at)], words[Math.max(from, at)]];
          if (a && b) yield warning(view, a.start, b.end, askExplanation);
          break;
        }
      }
      if (has("threat")) threats.set(language, number);
      if (has("urgent")) haste.set(language, number);
      for (const at of places("act")) {
        const account = near("account", at, 6);
        const first = words[Math.min(at, account ?? at)];
        const last = words[Math.max(at, account ?? at)];
        if (account === undefined || !first || !last || negated) continue;
        demands.set(language, { first, last, index: number });
        break;
      }
      const demand = demands.get(language);
      const close = (at: number | undefined) =>
        at !== undefined && demand !== undefined && Math.abs(at - demand.index) <= 3;
      if (!demand || said.has(language) || !hasLink) continue;
      if (!close(threats.get(language)) || !close(haste.get(language))) continue;
      said.add(language);
      yield warning(view, demand.first.start, demand.last.end, pressureExplanation);
    }
  }
}

/** Names that phishing borrows, as their domains spell them. */
const brands = new Set(
  `paypal amazon apple icloud microsoft outlook office365 google gmail facebook instagram whatsapp linkedin netflix spotify ebay dropbox docusign adobe
   coinbase binance metamask kraken blockchain visa mastercard americanexpress dhl fedex usps hermes correos postnl inpost poczta allegro vinted
   sparkasse volksbank commerzbank deutschebank postbank comdirect revolut santander caixabank bankinter unicredit intesasanpaolo postepay
   creditagricole bnpparibas banquepostale societegenerale ameli antai impots rabobank abnamro digid mijnoverheid pkobp mbank bnpparibas
   ziraat garantibbva akbank yapikredi turkiye itau bradesco nubank caixa mbway novobanco wellsfargo bankofamerica citibank barclays lloyds natwest hsbc
   steam roblox telegram twitter tiktok telekom vodafone swisscom wetransfer zalando mercadolibre mercadolivre booking airbnb`
    .split(/\s+/)
    .filter((name) => name.length >= 4),
);
const lures =
  /^(?:secure|security|login|signin|verify|verification|account|support|update|service|confirm|billing|pay|payment|help|alert|online|id|auth|web|my|info|customer|kunden|konto|sicher|sicherheit|acceso|seguridad|compte|securite|conto|sicurezza|klant|weryfikacja|conta|seguranca|hesap|guvenlik|unlock|recovery|refund|tracking|delivery|parcel|paket)$/;
const secondLevels = /^(?:co|com|org|net|gov|ac|edu|gob|or|ne)$/;

/** The part of a host that is registered, and what stands before and in it. */
function registered(host: string): { name: string; before: string[] } {
  const labels = host.toLowerCase().split(".").filter(Boolean);
  const suffix =
    labels.length > 2 && /^[a-z]{2}$/.test(labels.at(-1) ?? "") && secondLevels.test(labels.at(-2) ?? "")
      ? 2
      : 1;
  return {
    name: labels.at(-1 - suffix) ?? "",
    before: labels.slice(0, Math.max(0, labels.length - 1 - suffix)),
  };
}

const asLetters = new Map([
  ["0", "o"],
  ["1", "l"],
  ["3", "e"],
  ["4", "a"],
  ["5", "s"],
]);
/** A name as hasty eyes read it. */
const asRead = (name: string) =>
  name
    .replaceAll("rn", "m")
    .replaceAll("vv", "w")
    .replaceAll("cl", "d")
    .replace(/[01345]/g, (digit) => asLetters.get(digit) ?? digit);

function oneLetterOff(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  if (a.length === b.length) {
    return (
      a.slice(i + 1) === b.slice(i + 1) ||
      (a[i] === b[i + 1] && a[i + 1] === b[i] && a.slice(i + 2) === b.slice(i + 2))
    );
  }
  const [long, short] = a.length > b.length ? [a, b] : [b, a];
  return long.slice(i + 1) === short.slice(i);
}

function hostSign(host: string): string | null {
  if (/^(?:\d{1,3}\.){3}\d{1,3}$/.test(host)) {
    return /^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)/.test(host)
      ? null
      : "This link leads to a bare network address. Phishing does that; use a name that people know.";
  }
  if (/^(?:0x[0-9a-f]{8}|\d{8,10})$/i.test(host)) {
    return "This link hides a network address in a number. Phishing does that; use a name that people know.";
  }
  if (/(?:^|\.)xn--/i.test(host)) {
    return "The name in this link is written in punycode, in which look-alikes of known names hide. Check where it leads.";
  }
  if (/[a-z]/i.test(host) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(host)) {
    return "The name in this link mixes alphabets: some letters only look like others. Check where it leads.";
  }
  const { name, before } = registered(host);
  if (brands.has(name) || name === "") return null;
  const read = asRead(name);
  const parts = name.split("-");
  const posing =
    brands.has(read) ||
    [...brands].some(
      (brand) => brand.length >= 6 && Math.abs(brand.length - name.length) <= 1 && oneLetterOff(name, brand),
    ) ||
    (parts.length > 1 &&
      parts.some((part) => brands.has(part) || (part !== asRead(part) && brands.has(asRead(part)))) &&
      parts.some((part) => lures.test(part))) ||
    before.some(
      (label, at) =>
        brands.has(label) && secondLevels.test(before[at + 1] ?? (at + 1 === before.length ? name : "")),
    );
  return posing
    ? "The name in this link looks like a well-known one and is another. Phishing does that; check where it leads."
    : null;
}

/** Links whose address hides where it leads. */
function* linkSigns(view: MappedText): Generator<Place> {
  let looked = 0;
  for (const match of view.text.matchAll(/\bhttps?:\/\/([^\s/?#"'<>()[\]{}\ufffc\\]{1,255})/gi)) {
    if (++looked > 2_000) break;
    const authority = match[1] ?? "";
    const at = authority.lastIndexOf("@");
    const end = match.index + match[0].length;
    if (at > 0 && !authority.slice(0, at).includes(":")) {
      yield warning(
        view,
        match.index,
        end,
        "What stands before the @ in this link only looks like where it leads. Phishing does that.",
      );
      continue;
    }
    const sign = hostSign(authority.slice(at + 1).replace(/:\d{1,5}$/, ""));
    if (sign !== null) yield warning(view, match.index, end, sign);
  }
}

/** Links that say another address than the one they lead to. */
function* falseLabels(view: MappedText): Generator<Place> {
  let looked = 0;
  for (const match of view.text.matchAll(/<a\s/gi)) {
    if (++looked > 2_000) break;
    const tag = view.text.slice(match.index, match.index + 2_600);
    const close = tag.indexOf(">");
    if (close < 0) continue;
    const target = /\shref=["']?https?:\/\/([^\s/?#"'<>{}\ufffc]{1,255})/i.exec(tag.slice(0, close))?.[1];
    const label =
      /^\s{0,50}(?:https?:\/\/)?((?:[a-z0-9-]{1,63}\.){1,5}[a-z]{2,24})(?:[/?#][^\s<]{0,500})?\s{0,50}</i.exec(
        tag.slice(close + 1, close + 1_200),
      );
    if (target === undefined || !label) continue;
    const shown = registered(label[1] ?? "");
    const real = registered(target.replace(/:\d{1,5}$/, ""));
    if (shown.name === real.name) continue;
    const start = match.index + close + 1;
    yield warning(
      view,
      start,
      start + label[0].length - 1,
      `The link shows ${label[1] ?? ""} and leads to ${target.slice(0, 100)}. Show the address that it leads to, or words.`,
    );
  }
}
