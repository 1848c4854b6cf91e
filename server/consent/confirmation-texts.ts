import type { NotificationClass } from "../tenancy/schemas.ts";
import { preferenceTexts } from "./preference-texts.ts";
import { classNames, shortName } from "./reply-texts.ts";
import type { ConfirmableClass } from "./schemas.ts";
import { wordLanguages } from "./words/words.ts";
import type { WordLanguage } from "./words/words.ts";

/** `{}`: the organisation; `{wanted}`: what they would get; `{until}`: a time; `{yes}`: the word. */
interface ConfirmationTexts {
  subject: string;
  heading: string;
  /** In the mail. */
  given: string;
  button: string;
  until: string;
  otherwise: string;
  /** On the page. */
  question: string;
  done: string;
  doneText: string;
  end: string;
  expired: string;
  expiredText: string;
  withdrawn: string;
  withdrawnText: string;
  /** By SMS and WhatsApp; in letters of GSM-7 where the language can do without others. */
  yes: string;
  word: string;
  wordDone: string;
}

/* Lists after a colon, so that they are right in every language whatever stands in them. */
const texts: Record<WordLanguage, ConfirmationTexts> = {
  en: {
    subject: "Please confirm: messages from {}",
    heading: "Please confirm",
    given: "This address was signed up with {} for: {wanted}. Nothing is sent until you confirm.",
    button: "Yes, I agree",
    until: "You can confirm until {until}.",
    otherwise: "If this wasn't you, ignore this message. You won't receive anything.",
    question: "Would you like to receive this from {} at this address?",
    done: "Thank you, that's confirmed",
    doneText: "You have agreed to receive this from {} at this address:",
    end: "Change or end it at any time",
    expired: "This request has expired",
    expiredText: "Nothing was changed. If you still want to, please sign up again.",
    withdrawn: "You have opted out since",
    withdrawnText: "You opted out after this request was sent. To receive messages, please sign up again.",
    yes: "YES",
    word: "{}: Reply {yes} to get: {wanted}. If you did not ask for it, ignore this.",
    wordDone: "{}: Confirmed. You get: {wanted}. Reply STOP to end.",
  },
  de: {
    subject: "Bitte bestätigen: Nachrichten von {}",
    heading: "Bitte bestätigen Sie",
    given: "Diese Adresse wurde bei {} angegeben für: {wanted}. Ohne Ihre Zustimmung wird nichts gesendet.",
    button: "Ja, ich stimme zu",
    until: "Sie können bis {until} zustimmen.",
    otherwise: "Waren Sie das nicht, ignorieren Sie diese Nachricht. Dann bekommen Sie nichts.",
    question: "Stimmen Sie zu, dies von {} an diese Adresse zu bekommen?",
    done: "Vielen Dank, das ist bestätigt",
    doneText: "Sie haben zugestimmt, dies von {} an diese Adresse zu bekommen:",
    end: "Jederzeit ändern oder beenden",
    expired: "Die Frist ist abgelaufen",
    expiredText: "Es wurde nichts geändert. Wenn Sie weiterhin möchten, melden Sie sich bitte erneut an.",
    withdrawn: "Sie haben sich inzwischen abgemeldet",
    withdrawnText:
      "Sie haben sich nach dieser Anfrage abgemeldet, und das gilt. Wenn Sie möchten, melden Sie sich bitte erneut an.",
    yes: "JA",
    word: "{}: Antworten Sie {yes} für: {wanted}. Nicht von Ihnen? Dann bitte ignorieren.",
    wordDone: "{}: Bestätigt. Sie erhalten: {wanted}. Mit STOP abmelden.",
  },
  fr: {
    subject: "Veuillez confirmer : messages de {}",
    heading: "Veuillez confirmer",
    given: "Cette adresse a été indiquée à {} pour recevoir : {wanted}. Rien n’est envoyé sans votre accord.",
    button: "Oui, j’accepte",
    until: "Vous pouvez accepter jusqu’au {until}.",
    otherwise: "Si ce n’était pas vous, ignorez ce message. Vous ne recevrez alors rien.",
    question: "Acceptez-vous de recevoir ceci de {} à cette adresse ?",
    done: "Merci, c’est confirmé",
    doneText: "Vous avez accepté de recevoir ceci de {} à cette adresse :",
    end: "Modifier ou arrêter à tout moment",
    expired: "Le délai est dépassé",
    expiredText: "Rien n’a été modifié. Si vous le souhaitez toujours, inscrivez-vous à nouveau.",
    withdrawn: "Une désinscription a eu lieu depuis",
    withdrawnText:
      "Une désinscription a suivi cette demande, et elle reste valable. Si vous le souhaitez, inscrivez-vous à nouveau.",
    yes: "OUI",
    word: "{} : répondez {yes} pour recevoir : {wanted}. Sinon, ignorez ce message.",
    wordDone: "{} : c'est confirmé. Vous recevrez : {wanted}. STOP pour finir.",
  },
  es: {
    subject: "Confirma, por favor: mensajes de {}",
    heading: "Confirma, por favor",
    given: "Esta dirección se indicó a {} para recibir: {wanted}. No se enviará nada sin tu consentimiento.",
    button: "Sí, acepto",
    until: "Puedes aceptar hasta el {until}.",
    otherwise: "Si no fuiste tú, ignora este mensaje. No recibirás nada.",
    question: "¿Aceptas recibir esto de {} en esta dirección?",
    done: "Gracias, queda confirmado",
    doneText: "Has aceptado recibir esto de {} en esta dirección:",
    end: "Cambiar o cancelar en cualquier momento",
    expired: "El plazo ha terminado",
    expiredText: "No se ha cambiado nada. Si todavía lo deseas, vuelve a suscribirte.",
    withdrawn: "Te has dado de baja desde entonces",
    withdrawnText:
      "Te diste de baja después de esta solicitud, y eso es lo que vale. Si lo deseas, vuelve a suscribirte.",
    yes: "SI",
    word: "{}: responde {yes} para recibir: {wanted}. Si no lo pediste, ignora este mensaje.",
    wordDone: "{}: confirmado. Te enviaremos: {wanted}. Responde STOP para darte de baja.",
  },
  it: {
    subject: "Conferma, per favore: messaggi da {}",
    heading: "Conferma, per favore",
    given:
      "Questo indirizzo è stato indicato a {} per ricevere: {wanted}. Senza il tuo consenso non viene inviato nulla.",
    button: "Sì, accetto",
    until: "Puoi accettare fino al {until}.",
    otherwise: "Se non sei stato tu, ignora questo messaggio. Non riceverai nulla.",
    question: "Accetti di ricevere questo da {} a questo indirizzo?",
    done: "Grazie, è confermato",
    doneText: "Hai accettato di ricevere questo da {} a questo indirizzo:",
    end: "Modifica o annulla in qualsiasi momento",
    expired: "Il termine è scaduto",
    expiredText: "Non è cambiato nulla. Se lo vuoi ancora, iscriviti di nuovo.",
    withdrawn: "Nel frattempo hai annullato l’iscrizione",
    withdrawnText:
      "Hai annullato l’iscrizione dopo questa richiesta, e questo resta valido. Se vuoi, iscriviti di nuovo.",
    yes: "SI",
    word: "{}: rispondi {yes} per ricevere: {wanted}. Se non l'hai chiesto, ignora il messaggio.",
    wordDone: "{}: confermato. Riceverai: {wanted}. Rispondi STOP per annullare.",
  },
  pt: {
    subject: "Por favor, confirme: mensagens de {}",
    heading: "Por favor, confirme",
    given: "Este endereço foi indicado a {} para receber: {wanted}. Nada é enviado sem o seu consentimento.",
    button: "Sim, aceito",
    until: "Pode aceitar até {until}.",
    otherwise: "Se não foi você, ignore esta mensagem. Não receberá nada.",
    question: "Aceita receber isto de {} neste endereço?",
    done: "Obrigado, está confirmado",
    doneText: "Aceitou receber isto de {} neste endereço:",
    end: "Alterar ou cancelar a qualquer momento",
    expired: "O prazo terminou",
    expiredText: "Nada foi alterado. Se ainda quiser, inscreva-se novamente.",
    withdrawn: "Entretanto, cancelou a inscrição",
    withdrawnText:
      "Cancelou a inscrição depois deste pedido, e isso mantém-se. Se quiser, inscreva-se novamente.",
    yes: "SIM",
    word: "{}: responda {yes} para receber: {wanted}. Se não pediu, ignore esta mensagem.",
    wordDone: "{}: confirmado. Vai receber: {wanted}. Responda STOP para cancelar.",
  },
  nl: {
    subject: "Bevestig alstublieft: berichten van {}",
    heading: "Bevestig alstublieft",
    given: "Dit adres is aan {} opgegeven voor: {wanted}. Zonder uw toestemming wordt niets verstuurd.",
    button: "Ja, ik ga akkoord",
    until: "U kunt akkoord gaan tot {until}.",
    otherwise: "Was u dit niet, negeer dit bericht dan. U krijgt dan niets.",
    question: "Gaat u ermee akkoord dit van {} op dit adres te krijgen?",
    done: "Bedankt, het is bevestigd",
    doneText: "U gaat ermee akkoord dit van {} op dit adres te krijgen:",
    end: "Op elk moment wijzigen of beëindigen",
    expired: "De termijn is verstreken",
    expiredText: "Er is niets gewijzigd. Wilt u het nog steeds, meld u dan opnieuw aan.",
    withdrawn: "U hebt zich inmiddels afgemeld",
    withdrawnText: "U hebt zich na dit verzoek afgemeld, en dat geldt. Meld u opnieuw aan als u dat wilt.",
    yes: "JA",
    word: "{}: antwoord {yes} voor: {wanted}. Niet aangevraagd? Negeer dit bericht.",
    wordDone: "{}: bevestigd. U krijgt: {wanted}. Antwoord STOP om af te melden.",
  },
  pl: {
    subject: "Prosimy o potwierdzenie: wiadomości od {}",
    heading: "Prosimy o potwierdzenie",
    given: "Ten adres podano w {}, aby otrzymywać: {wanted}. Bez Państwa zgody nic nie zostanie wysłane.",
    button: "Tak, zgadzam się",
    until: "Zgodę można wyrazić do {until}.",
    otherwise: "Jeśli to nie Państwo, proszę zignorować tę wiadomość. Nic wtedy nie przyjdzie.",
    question: "Czy zgadzają się Państwo otrzymywać to od {} na ten adres?",
    done: "Dziękujemy, zgoda potwierdzona",
    doneText: "Wyrazili Państwo zgodę na otrzymywanie od {} na ten adres:",
    end: "Zmień lub zakończ w dowolnej chwili",
    expired: "Czas na wyrażenie zgody minął",
    expiredText:
      "Nic się nie zmieniło. Jeśli nadal chcą Państwo to otrzymywać, prosimy zapisać się ponownie.",
    withdrawn: "W międzyczasie zrezygnowano",
    withdrawnText:
      "Po tej prośbie zrezygnowali Państwo i to obowiązuje. W razie chęci prosimy zapisać się ponownie.",
    yes: "TAK",
    word: "{}: odpowiedz {yes}, aby otrzymywac: {wanted}. Jesli to nie Ty, zignoruj.",
    wordDone: "{}: potwierdzono. Otrzymasz: {wanted}. Odpowiedz STOP, aby zakonczyc.",
  },
  tr: {
    subject: "Lütfen onaylayın: {} mesajları",
    heading: "Lütfen onaylayın",
    given: "Bu adres {} için şunları almak üzere verildi: {wanted}. Siz onaylamadan hiçbir şey gönderilmez.",
    button: "Evet, onaylıyorum",
    until: "Şu tarihe kadar onaylayabilirsiniz: {until}.",
    otherwise: "Bunu siz yapmadıysanız bu mesajı dikkate almayın. O zaman hiçbir şey almazsınız.",
    question: "Bunu {} tarafından bu adrese almayı onaylıyor musunuz?",
    done: "Teşekkürler, onaylandı",
    doneText: "{} tarafından bu adrese şunu almayı onayladınız:",
    end: "İstediğiniz zaman değiştirin veya sonlandırın",
    expired: "Onay süresi doldu",
    expiredText: "Hiçbir şey değişmedi. Hâlâ istiyorsanız lütfen yeniden kaydolun.",
    withdrawn: "Bu arada aboneliğinizi sonlandırdınız",
    withdrawnText:
      "Bu istekten sonra aboneliğinizi sonlandırdınız ve bu geçerlidir. İsterseniz lütfen yeniden kaydolun.",
    yes: "EVET",
    word: "{}: Almak için {yes} yazın: {wanted}. Siz istemediyseniz dikkate almayın.",
    wordDone: "{}: Onaylandı. Alacaklarınız: {wanted}. Bitirmek için STOP yazın.",
  },
  sv: {
    subject: "Bekräfta: meddelanden från {}",
    heading: "Bekräfta",
    given: "Den här adressen har lämnats till {} för: {wanted}. Inget skickas utan ditt samtycke.",
    button: "Ja, jag samtycker",
    until: "Du kan samtycka till {until}.",
    otherwise: "Om det inte var du kan du bortse från det här meddelandet. Då får du ingenting.",
    question: "Samtycker du till att få detta från {} till den här adressen?",
    done: "Tack, det är bekräftat",
    doneText: "Du har samtyckt till att få detta från {} till den här adressen:",
    end: "Ändra eller avsluta när som helst",
    expired: "Tiden har gått ut",
    expiredText: "Inget har ändrats. Anmäl dig igen om du fortfarande vill.",
    withdrawn: "Du har avregistrerat dig sedan dess",
    withdrawnText: "Du avregistrerade dig efter den här frågan, och det gäller. Anmäl dig igen om du vill.",
    yes: "JA",
    word: "{}: svara {yes} för att få: {wanted}. Var det inte du? Bortse från detta.",
    wordDone: "{}: bekräftat. Du får: {wanted}. Svara STOP för att avsluta.",
  },
  ar: {
    subject: "يُرجى التأكيد: رسائل من {}",
    heading: "يُرجى التأكيد",
    given: "أُعطي هذا العنوان إلى {} لاستلام: {wanted}. لن يُرسل شيء قبل موافقتك.",
    button: "نعم، أوافق",
    until: "يمكنك الموافقة حتى {until}.",
    otherwise: "إذا لم تكن أنت، فتجاهل هذه الرسالة. لن تستلم شيئًا عندئذ.",
    question: "هل توافق على استلام هذا من {} على هذا العنوان؟",
    done: "شكرًا، تم التأكيد",
    doneText: "وافقت على استلام هذا من {} على هذا العنوان:",
    end: "يمكنك التغيير أو الإلغاء في أي وقت",
    expired: "انتهت مهلة الموافقة",
    expiredText: "لم يتغير شيء. إذا كنت لا تزال ترغب في ذلك، فيُرجى التسجيل مرة أخرى.",
    withdrawn: "لقد ألغيت اشتراكك منذ ذلك الحين",
    withdrawnText: "ألغيت اشتراكك بعد هذا الطلب، وهذا ما يسري. إذا رغبت، فيُرجى التسجيل مرة أخرى.",
    yes: "نعم",
    word: "{}: أرسل {yes} لاستلام: {wanted}. إذا لم تطلب ذلك فتجاهل الرسالة.",
    wordDone: "{}: تم التأكيد. ستصلك: {wanted}. أرسل STOP للإلغاء.",
  },
  hi: {
    subject: "कृपया पुष्टि करें: {} के संदेश",
    heading: "कृपया पुष्टि करें",
    given: "यह पता {} को इसके लिए दिया गया: {wanted}। आपकी सहमति के बिना कुछ नहीं भेजा जाएगा।",
    button: "हाँ, मैं सहमत हूँ",
    until: "आप {until} तक सहमति दे सकते हैं।",
    otherwise: "यदि यह आपने नहीं किया, तो इस संदेश को अनदेखा करें। तब आपको कुछ नहीं मिलेगा।",
    question: "क्या आप इस पते पर {} से यह पाने के लिए सहमत हैं?",
    done: "धन्यवाद, पुष्टि हो गई",
    doneText: "आपने इस पते पर {} से यह पाने की सहमति दी है:",
    end: "कभी भी बदलें या बंद करें",
    expired: "सहमति देने का समय समाप्त हो गया",
    expiredText: "कुछ नहीं बदला। यदि आप अब भी चाहते हैं, तो कृपया फिर से साइन अप करें।",
    withdrawn: "आपने इस बीच सदस्यता समाप्त कर दी है",
    withdrawnText: "आपने इस अनुरोध के बाद सदस्यता समाप्त की, और वही मान्य है। यदि चाहें, तो फिर से साइन अप करें।",
    yes: "हाँ",
    word: "{}: पाने के लिए {yes} लिखें: {wanted}। आपने नहीं माँगा तो अनदेखा करें।",
    wordDone: "{}: पुष्टि हो गई। आएगा: {wanted}। रोकने के लिए STOP लिखें।",
  },
};

const languageOf = (language: string): WordLanguage =>
  wordLanguages.find((known) => known === language) ?? "en";

// In one pass: a name with braces is a name.
const filled = (text: string, values: Record<string, string>) =>
  text.replaceAll(/\{[a-z]*\}/g, (name) => values[name] ?? name);

/** The words of the page of a confirmation; in English where the language has none. */
export function confirmationPageTexts(
  language: string,
  of: { organisation: string; class: ConfirmableClass },
) {
  const known = languageOf(language);
  const { heading, button, question, done, doneText, end, expired, expiredText, withdrawn, withdrawnText } =
    texts[known];
  const values = { "{}": of.organisation };
  return {
    ...{ heading, button, done, end, expired, expiredText, withdrawn, withdrawnText },
    question: filled(question, values),
    doneText: filled(doneText, values),
    wanted: preferenceTexts(known).texts[of.class],
  };
}

/** The variables of the e-mail that asks, without the link and the organisation's looks. */
export function confirmationMail(of: {
  language: string;
  organisation: string;
  class: ConfirmableClass;
  until: Date;
}): Record<string, string> {
  const language = languageOf(of.language);
  const { subject, heading, given, button, until, otherwise } = texts[language];
  const time = new Intl.DateTimeFormat(language, {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: "UTC",
  }).format(of.until);
  const values = {
    "{}": of.organisation,
    "{wanted}": preferenceTexts(language).texts[of.class],
    "{until}": `${time} UTC`,
  };
  return {
    language,
    direction: preferenceTexts(language).direction,
    organisation: of.organisation,
    subject: filled(subject, values),
    heading,
    given: filled(given, values),
    button,
    until: filled(until, values),
    otherwise,
  };
}

/** What asks, or thanks, on a channel on which one word answers. */
export function confirmationWords(
  kind: "word" | "wordDone",
  of: { language: string; organisation: string; classes: readonly NotificationClass[] },
): string {
  const language = languageOf(of.language);
  const found = texts[language];
  return filled(found[kind], {
    "{}": shortName(of.organisation),
    "{yes}": found.yes,
    "{wanted}": classNames(language, of.classes),
  }).trim();
}
