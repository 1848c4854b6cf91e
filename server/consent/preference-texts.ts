/** The words of the page on which recipients choose what they get, by ISO 639-1 language. `{}` is the organisation. */
export interface PreferenceTexts {
  title: string;
  question: string;
  marketing: string;
  service: string;
  transactional: string;
  always: string;
  save: string;
  saved: string;
  unsubscribed: string;
  broken: string;
  brokenText: string;
  later: string;
  laterText: string;
}

const english: PreferenceTexts = {
  title: "Your e-mails from {}",
  question: "What would you like to receive at this address?",
  marketing: "News and offers",
  service: "Notices about your account and our services",
  transactional: "Messages about your orders and requests",
  always: "Sign-in codes you request are always sent.",
  save: "Save",
  saved: "Saved.",
  unsubscribed: "You are unsubscribed from news and offers. You still receive what is selected below.",
  broken: "This link doesn't work",
  brokenText: "Part of it may be missing. Open it again from the e-mail.",
  later: "Please try again",
  laterText: "Your choice couldn't be saved. Please try again.",
};

const others: Record<string, PreferenceTexts> = {
  ar: {
    title: "رسائلك من {}",
    question: "ما الذي تود استلامه على هذا العنوان؟",
    marketing: "الأخبار والعروض",
    service: "إشعارات حول حسابك وخدماتنا",
    transactional: "رسائل حول ما طلبته",
    always: "رموز تسجيل الدخول التي تطلبها تُرسل دائمًا.",
    save: "حفظ",
    saved: "تم الحفظ.",
    unsubscribed: "تم إلغاء اشتراكك في الأخبار والعروض. ستستمر في استلام ما هو محدد أدناه.",
    broken: "هذا الرابط لا يعمل",
    brokenText: "ربما ينقصه جزء. افتحه مرة أخرى من الرسالة التي وصل بها.",
    later: "يُرجى المحاولة مرة أخرى",
    laterText: "تعذّر حفظ اختيارك الآن.",
  },
  de: {
    title: "Ihre E-Mails von {}",
    question: "Was möchten Sie an diese Adresse bekommen?",
    marketing: "Neuigkeiten und Angebote",
    service: "Hinweise zu Ihrem Konto und unseren Diensten",
    transactional: "Nachrichten zu Ihren Bestellungen und Anfragen",
    always: "Anmeldecodes, die Sie anfordern, werden immer gesendet.",
    save: "Speichern",
    saved: "Gespeichert.",
    unsubscribed:
      "Sie haben Neuigkeiten und Angebote abbestellt. Was unten angekreuzt ist, bekommen Sie weiterhin.",
    broken: "Dieser Link funktioniert nicht",
    brokenText: "Vielleicht fehlt ein Teil. Öffnen Sie ihn noch einmal aus der E-Mail.",
    later: "Bitte versuchen Sie es noch einmal",
    laterText: "Ihre Auswahl konnte gerade nicht gespeichert werden.",
  },
  es: {
    title: "Tus correos de {}",
    question: "¿Qué quieres recibir en esta dirección?",
    marketing: "Novedades y ofertas",
    service: "Avisos sobre tu cuenta y nuestros servicios",
    transactional: "Mensajes sobre lo que has pedido o solicitado",
    always: "Los códigos de acceso que pides se envían siempre.",
    save: "Guardar",
    saved: "Guardado.",
    unsubscribed:
      "Te has dado de baja de novedades y ofertas. Seguirás recibiendo lo que está marcado abajo.",
    broken: "Este enlace no funciona",
    brokenText: "Puede que le falte una parte. Ábrelo de nuevo desde el correo.",
    later: "Inténtalo de nuevo",
    laterText: "No se ha podido guardar tu elección en este momento.",
  },
  fr: {
    title: "Vos e-mails de {}",
    question: "Que souhaitez-vous recevoir à cette adresse ?",
    marketing: "Actualités et offres",
    service: "Informations sur votre compte et nos services",
    transactional: "Messages sur vos commandes et vos demandes",
    always: "Les codes de connexion que vous demandez sont toujours envoyés.",
    save: "Enregistrer",
    saved: "Enregistré.",
    unsubscribed:
      "Vous êtes désabonné des actualités et offres. Vous continuez à recevoir ce qui est coché ci-dessous.",
    broken: "Ce lien ne fonctionne pas",
    brokenText: "Il en manque peut-être une partie. Ouvrez-le à nouveau depuis l’e-mail.",
    later: "Veuillez réessayer",
    laterText: "Votre choix n’a pas pu être enregistré pour le moment.",
  },
  hi: {
    title: "{} से आपके ई-मेल",
    question: "आप इस पते पर क्या पाना चाहते हैं?",
    marketing: "समाचार और ऑफ़र",
    service: "आपके खाते और हमारी सेवाओं की सूचनाएँ",
    transactional: "आपके ऑर्डर और अनुरोधों के संदेश",
    always: "साइन इन के लिए माँगे गए कोड हमेशा भेजे जाते हैं।",
    save: "सहेजें",
    saved: "सहेजा गया।",
    unsubscribed: "समाचार और ऑफ़र बंद कर दिए गए हैं। नीचे चुने गए संदेश आते रहेंगे।",
    broken: "यह लिंक काम नहीं करता",
    brokenText: "शायद इसका कोई हिस्सा छूट गया है। इसे ई-मेल से फिर खोलें।",
    later: "कृपया फिर कोशिश करें",
    laterText: "आपकी पसंद अभी सहेजी नहीं जा सकी।",
  },
  it: {
    title: "Le tue e-mail da {}",
    question: "Che cosa vuoi ricevere a questo indirizzo?",
    marketing: "Novità e offerte",
    service: "Avvisi sul tuo account e sui nostri servizi",
    transactional: "Messaggi sui tuoi ordini e sulle tue richieste",
    always: "I codici di accesso che richiedi vengono sempre inviati.",
    save: "Salva",
    saved: "Salvato.",
    unsubscribed:
      "Non riceverai più novità e offerte. Continuerai a ricevere ciò che è selezionato qui sotto.",
    broken: "Questo link non funziona",
    brokenText: "Forse ne manca una parte. Aprilo di nuovo dall’e-mail.",
    later: "Riprova",
    laterText: "In questo momento non è stato possibile salvare la tua scelta.",
  },
  nl: {
    title: "Je e-mails van {}",
    question: "Wat wil je op dit adres ontvangen?",
    marketing: "Nieuws en aanbiedingen",
    service: "Berichten over je account en onze diensten",
    transactional: "Berichten over je bestellingen en aanvragen",
    always: "Inlogcodes die je aanvraagt, worden altijd verstuurd.",
    save: "Opslaan",
    saved: "Opgeslagen.",
    unsubscribed:
      "Je bent afgemeld voor nieuws en aanbiedingen. Wat hieronder is aangevinkt, krijg je nog wel.",
    broken: "Deze link werkt niet",
    brokenText: "Misschien ontbreekt er een deel. Open hem opnieuw vanuit de e-mail.",
    later: "Probeer het opnieuw",
    laterText: "Je keuze kon nu niet worden opgeslagen.",
  },
  pl: {
    title: "Twoje e-maile od {}",
    question: "Co chcesz otrzymywać na ten adres?",
    marketing: "Nowości i oferty",
    service: "Powiadomienia o koncie i naszych usługach",
    transactional: "Wiadomości o zamówieniach i zgłoszeniach",
    always: "Kody logowania, o które prosisz, są zawsze wysyłane.",
    save: "Zapisz",
    saved: "Zapisano.",
    unsubscribed: "Zrezygnowano z nowości i ofert. To, co zaznaczono poniżej, nadal będzie przychodzić.",
    broken: "Ten link nie działa",
    brokenText: "Być może brakuje jego części. Otwórz go ponownie z wiadomości.",
    later: "Spróbuj ponownie",
    laterText: "W tej chwili nie udało się zapisać wyboru.",
  },
  pt: {
    title: "Os seus e-mails de {}",
    question: "O que deseja receber neste endereço?",
    marketing: "Novidades e ofertas",
    service: "Avisos sobre a sua conta e os nossos serviços",
    transactional: "Mensagens sobre as suas encomendas e pedidos",
    always: "Os códigos de acesso que pedir são sempre enviados.",
    save: "Guardar",
    saved: "Guardado.",
    unsubscribed: "Deixará de receber novidades e ofertas. Continua a receber o que está assinalado abaixo.",
    broken: "Esta ligação não funciona",
    brokenText: "Pode faltar uma parte. Abra-a de novo a partir do e-mail.",
    later: "Tente novamente",
    laterText: "Não foi possível guardar a sua escolha neste momento.",
  },
  sv: {
    title: "Din e-post från {}",
    question: "Vad vill du få till den här adressen?",
    marketing: "Nyheter och erbjudanden",
    service: "Meddelanden om ditt konto och våra tjänster",
    transactional: "Meddelanden om dina beställningar och ärenden",
    always: "Inloggningskoder som du ber om skickas alltid.",
    save: "Spara",
    saved: "Sparat.",
    unsubscribed: "Du får inte längre nyheter och erbjudanden. Det som är ikryssat nedan får du fortfarande.",
    broken: "Länken fungerar inte",
    brokenText: "En del kan saknas. Öppna den igen från mejlet.",
    later: "Försök igen",
    laterText: "Ditt val kunde inte sparas just nu.",
  },
  tr: {
    title: "{} e-postalarınız",
    question: "Bu adrese neler gelsin istersiniz?",
    marketing: "Haberler ve kampanyalar",
    service: "Hesabınız ve hizmetlerimizle ilgili bildirimler",
    transactional: "Siparişleriniz ve talepleriniz hakkında mesajlar",
    always: "İstediğiniz giriş kodları her zaman gönderilir.",
    save: "Kaydet",
    saved: "Kaydedildi.",
    unsubscribed: "Haber ve kampanya aboneliğiniz sona erdi. Aşağıda işaretli olanlar gelmeye devam eder.",
    broken: "Bu bağlantı çalışmıyor",
    brokenText: "Bir bölümü eksik olabilir. E-postadan yeniden açın.",
    later: "Lütfen tekrar deneyin",
    laterText: "Seçiminiz şu anda kaydedilemedi.",
  },
};

/** The language that the page has, and its words; English for all others. */
export function preferenceTexts(language: string): {
  language: string;
  direction: "ltr" | "rtl";
  texts: PreferenceTexts;
} {
  const found = Object.hasOwn(others, language) ? others[language] : undefined;
  return {
    language: found ? language : "en",
    direction: language === "ar" ? "rtl" : "ltr",
    texts: found ?? english,
  };
}

export const preferenceLanguages: readonly string[] = ["en", ...Object.keys(others)];
