import type { NotificationClass } from "../tenancy/schemas.ts";
import { wordLanguages } from "./words/words.ts";
import type { WordLanguage } from "./words/words.ts";

/** `{}`: the organisation; `{stopped}`, `{kept}`, `{started}`: lists of the words below; `{support}`. */
interface ReplyTexts {
  stop: string;
  /** After `stop`, where something still comes. */
  kept: string;
  again: string;
  start: string;
  end: string;
  help: string;
  support: string;
  classes: Record<NotificationClass, string>;
}

/*
 * Lists after a colon, so that they are right in every language whatever stands in them. Short, and in letters of GSM-7 where the
 * language can do without others: a segment has 160 of those, and 70 of any other.
 */
const texts: Record<WordLanguage, ReplyTexts> = {
  en: {
    stop: "{}: You are unsubscribed. You will get no more: {stopped}.",
    kept: "You still get: {kept}.",
    again: "Reply START to undo.",
    start: "{}: You are subscribed again. You get: {started}.",
    end: "Reply STOP to end.",
    help: "{}: This number sends you messages of {}.",
    support: "Help: {support}.",
    classes: {
      marketing: "offers",
      transactional: "order messages",
      service: "account notices",
      authentication: "sign-in codes",
    },
  },
  de: {
    stop: "{}: Sie sind abgemeldet. Nicht mehr gesendet werden: {stopped}.",
    kept: "Weiterhin: {kept}.",
    again: "Mit START wieder anmelden.",
    start: "{}: Sie sind wieder angemeldet. Sie erhalten: {started}.",
    end: "Mit STOP abmelden.",
    help: "{}: Über diese Nummer erhalten Sie Nachrichten von {}.",
    support: "Hilfe: {support}.",
    classes: {
      marketing: "Angebote",
      transactional: "Bestellnachrichten",
      service: "Kontohinweise",
      authentication: "Anmeldecodes",
    },
  },
  fr: {
    stop: "{} : désinscription confirmée. Vous ne recevrez plus : {stopped}.",
    kept: "Vous recevrez encore : {kept}.",
    again: "START pour annuler.",
    start: "{} : inscription rétablie. Vous recevrez : {started}.",
    end: "STOP pour finir.",
    help: "{} : ce numéro vous envoie les messages de {}.",
    support: "Aide : {support}.",
    classes: {
      marketing: "offres",
      transactional: "messages de commande",
      service: "avis de compte",
      authentication: "codes de connexion",
    },
  },
  es: {
    stop: "{}: baja confirmada. Ya no te enviaremos: {stopped}.",
    kept: "Te seguiremos enviando: {kept}.",
    again: "Responde START para volver.",
    start: "{}: alta confirmada. Te enviaremos: {started}.",
    end: "Responde STOP para darte de baja.",
    help: "{}: por este medio te llegan mensajes de {}.",
    support: "Ayuda: {support}.",
    classes: {
      marketing: "ofertas",
      transactional: "mensajes de pedidos",
      service: "avisos de cuenta",
      authentication: "claves de acceso",
    },
  },
  it: {
    stop: "{}: iscrizione annullata. Non riceverai più: {stopped}.",
    kept: "Riceverai ancora: {kept}.",
    again: "Rispondi START per riattivare.",
    start: "{}: iscrizione riattivata. Riceverai: {started}.",
    end: "Rispondi STOP per annullare.",
    help: "{}: da questo numero ricevi i messaggi di {}.",
    support: "Aiuto: {support}.",
    classes: {
      marketing: "offerte",
      transactional: "messaggi sugli ordini",
      service: "avvisi sull'account",
      authentication: "codici di accesso",
    },
  },
  pt: {
    stop: "{}: registo cancelado. Deixa de receber: {stopped}.",
    kept: "Continua a receber: {kept}.",
    again: "Responda START para voltar.",
    start: "{}: registo reativado. Vai receber: {started}.",
    end: "Responda STOP para cancelar.",
    help: "{}: por aqui recebe as mensagens de {}.",
    support: "Ajuda: {support}.",
    classes: {
      marketing: "ofertas",
      transactional: "mensagens de encomendas",
      service: "avisos da conta",
      authentication: "senhas de acesso",
    },
  },
  nl: {
    stop: "{}: u bent afgemeld. U ontvangt niet meer: {stopped}.",
    kept: "U ontvangt nog wel: {kept}.",
    again: "Antwoord START om u weer aan te melden.",
    start: "{}: u bent weer aangemeld. U ontvangt: {started}.",
    end: "Antwoord STOP om te stoppen.",
    help: "{}: via dit nummer ontvangt u berichten van {}.",
    support: "Hulp: {support}.",
    classes: {
      marketing: "aanbiedingen",
      transactional: "bestelberichten",
      service: "accountmeldingen",
      authentication: "inlogcodes",
    },
  },
  pl: {
    stop: "{}: wypisano. Nie wyślemy już: {stopped}.",
    kept: "Nadal wysyłamy: {kept}.",
    again: "START = ponowny zapis.",
    start: "{}: zapisano ponownie. Wyślemy: {started}.",
    end: "STOP = wypisanie.",
    help: "{}: z tego numeru wysyłamy wiadomości {}.",
    support: "Pomoc: {support}.",
    classes: {
      marketing: "oferty",
      transactional: "zamówienia",
      service: "konto",
      authentication: "kody",
    },
  },
  tr: {
    stop: "{}: Kaydınız silindi. Gelmeyecek: {stopped}.",
    kept: "Gelecek: {kept}.",
    again: "Geri almak için: START",
    start: "{}: Yeniden kaydoldunuz. Gelecek: {started}.",
    end: "Durdurmak için STOP yazın.",
    help: "{}: Bu numaradan {} mesajları gelir.",
    support: "Yardım: {support}.",
    classes: {
      marketing: "kampanyalar",
      transactional: "siparişler",
      service: "hesap",
      authentication: "kodlar",
    },
  },
  sv: {
    stop: "{}: Du är avanmäld. Du får inte längre: {stopped}.",
    kept: "Du får fortfarande: {kept}.",
    again: "Svara START för att ångra.",
    start: "{}: Du är anmäld igen. Du får: {started}.",
    end: "Svara STOP för att avsluta.",
    help: "{}: Från det här numret får du meddelanden från {}.",
    support: "Hjälp: {support}.",
    classes: {
      marketing: "erbjudanden",
      transactional: "ordermeddelanden",
      service: "kontomeddelanden",
      authentication: "inloggningskoder",
    },
  },
  ar: {
    stop: "{}: تم إلغاء الاشتراك. لن تصلك: {stopped}.",
    kept: "ستظل تصلك: {kept}.",
    again: "أرسل START للتراجع.",
    start: "{}: تم تجديد الاشتراك. ستصلك: {started}.",
    end: "أرسل STOP للإلغاء.",
    help: "{}: تصلك رسائل {} من هذا الرقم.",
    support: "المساعدة: {support}.",
    classes: {
      marketing: "العروض",
      transactional: "رسائل الطلبات",
      service: "إشعارات الحساب",
      authentication: "رموز الدخول",
    },
  },
  hi: {
    stop: "{}: सदस्यता समाप्त। अब नहीं आएगा: {stopped}।",
    kept: "आता रहेगा: {kept}।",
    again: "वापसी के लिए START लिखें।",
    start: "{}: सदस्यता फिर चालू। आएगा: {started}।",
    end: "रोकने के लिए STOP लिखें।",
    help: "{}: इस नंबर से {} के संदेश आते हैं।",
    support: "सहायता: {support}।",
    classes: {
      marketing: "ऑफ़र",
      transactional: "ऑर्डर",
      service: "खाता",
      authentication: "कोड",
    },
  },
};

/** A name that would fill a message by itself is cut. */
const longestName = 40;

/** An organisation's name as it stands in a message. */
export function shortName(organisation: string): string {
  return organisation.length > longestName ? `${organisation.slice(0, longestName - 3)}...` : organisation;
}

/** What classes of message are called in a language, as a list. */
export function classNames(language: WordLanguage, classes: readonly NotificationClass[]): string {
  return classes.map((name) => texts[language].classes[name]).join(", ");
}

/** The text of an automatic reply: the organisation's own, or the built-in one in the recipient's language, else in English. */
export function replyText(of: {
  kind: "stop" | "start" | "help";
  language: string;
  organisation: string;
  support: string | null;
  own: string | null;
  /** The classes that were stopped or started. */
  named: readonly NotificationClass[];
  /** Those that still come. */
  kept: readonly NotificationClass[];
}): string {
  const known = wordLanguages.find((language) => language === of.language) ?? "en";
  const words = texts[known];
  const list = (classes: readonly NotificationClass[]) => classNames(known, classes);
  const parts = {
    stop: [words.stop, of.kept.length > 0 ? words.kept : "", words.again],
    start: [words.start, words.end],
    help: [words.help, of.support ? words.support : "", words.end],
  };
  const name = shortName(of.organisation);
  const values: Record<string, string> = {
    "{}": name,
    "{organisation}": name,
    "{support}": of.support ?? "",
    "{stopped}": list(of.named),
    "{started}": list(of.named),
    "{kept}": list(of.kept),
  };
  const template = of.own ?? parts[of.kind].filter((part) => part !== "").join(" ");
  // In one pass: a name with braces is a name.
  return template.replaceAll(/\{[a-z]*\}/g, (name_) => values[name_] ?? name_).trim();
}
