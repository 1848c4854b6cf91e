/**
 * What recipients write to say no, yes or help. English: the words that 47 CFR § 64.1200(a)(10) and CTIA's Messaging Principles
 * and Best Practices name, and those that carriers take by themselves. French ARRET and TD: the words of Canada's carriers. The
 * other languages: our own lists, made from what operators print under their messages; no published list names them.
 */

export const wordLanguages = [
  "en",
  "de",
  "fr",
  "es",
  "it",
  "pt",
  "nl",
  "pl",
  "tr",
  "sv",
  "ar",
  "hi",
] as const;
export type WordLanguage = (typeof wordLanguages)[number];

export interface Lexicon {
  /** A no wherever it stands, but next to a negation, a question or a condition. */
  clear: string;
  /** A no as a sentence of its own; unclear inside another. */
  sentence: string;
  /** A no only if nothing else is said: ordinary words otherwise. */
  whole: string;
  start: string;
  help: string;
  /** Politeness, and what is to stop: says nothing by itself. */
  filler: string;
  /** Turns what follows or comes before into its opposite. */
  negation: string;
  /** With one of these a message asks or hedges. */
  hedge: string;
  /** Holds a word of ours and means something else. */
  benign: string;
}

/** Understood in every language. */
export const everywhere: Pick<Lexicon, "clear" | "sentence" | "whole" | "start" | "help"> = {
  clear: "stopall, stop all, unsubscribe, optout, opt out",
  sentence: "stop, stopp, stpo, sotp, stoop, stip, stop it, stop now",
  whole: "cancel, quit, end, revoke, remove, arret, td",
  start: "start, unstop",
  help: "help, info",
};

/** Within one letter of a word of ours, and words themselves. */
export const notTypos =
  "cancer, remote, removal, anmelden, anmeldung, shoppen, stopper, stopover, storten, register, registrera, aanmelden, starter, sorter, cancels, cancan, arriver, arrivez, retire, parcel";

export const lexicons: Record<WordLanguage, Lexicon> = {
  en: {
    clear:
      "don t ever contact, don t ever text, don t ever message, never text me again, never contact me again, never message me again, stop bothering, unsubscribe me, unsubscribed, opt me out, opting out, remove me, take me off, stop texting, stop messaging, stop contacting, stop sending me, stop writing, stop spamming, stop calling, quit texting, do not text, dont text, don t text, do not contact, dont contact, don t contact, do not message, dont message, don t message, no more texts, no more messages, no more sms, leave me alone, i withdraw my consent, i revoke my consent, revoke consent, delete my number, remove my number, lose my number, cancel my subscription, cancel subscription, end subscription, stop subscription",
    sentence: "stop these, stop this, stop the texts, stop the messages, stop your, wrong number stop",
    whole:
      "cancel all, end all, quit all, opt, stops, stopped, no thanks stop, enough, remove number, delete me",
    start: "subscribe, resubscribe, resume, restart, opt in, optin, opt back in, sign me up",
    help: "info, support, help me",
    filler:
      "please, pls, plz, yes, promotions, promos, offers, thank you, thanks, thx, ty, cheers, kindly, now, immediately, me, my, us, number, phone, text, texts, texting, textings, message, messages, messaging, msg, msgs, sms, sending, send, contacting, contact, writing, spamming, spam, all, any, again, ever, further, from, your, list, the list, this list, lists, mailing, to, these, this, that, subscription, consent, i want to, i would like to, i d like to, want, would like, hi, hello, hey, sir, team, ok, okay, just, everything, right, and, marketing, promotional, ads, advertising, notifications, alerts, reminders, i said, you, anymore, any more, for good, at once, bye, goodbye, im, i m, of, with",
    negation:
      "dont, don t, do not, not, never, cant, can t, cannot, couldn t, couldnt, didn t, didnt, won t, wont, isn t, doesn t, doesnt, without",
    hedge: "how, if, but, unless, why, when, what, should, can, could, or, maybe, whether, except, until",
    benign:
      "which stop, what stop, stop being, stop by, bus stop, tram stop, train stop, non stop, nonstop, one stop, next stop, last stop, full stop, pit stop, first stop, stop at, stop in, stop over, stop off, stop over, to a stop, the stop, a stop, truck stop, subway stop, metro stop, will stop, stop for, stop here, stop there, stop working, stop raining, stop watch, door stop, stop sign, stop light, to stop",
  },
  de: {
    clear:
      "abmelden, melden sie mich ab, abbestellen, meld mich ab, melde mich ab, abmeldung, austragen, trag mich aus, tragen sie mich aus, newsletter kundigen, abo kundigen, abo beenden, keine werbung mehr, keine nachrichten mehr, keine sms mehr, keine mails mehr, keine whatsapp mehr, nicht mehr schreiben, schreibt mir nicht mehr, schreiben sie mir nicht mehr, schreiben sie mir nie wieder, schreib mir nicht mehr, nicht mehr anschreiben, nicht mehr kontaktieren, kontaktieren sie mich nicht mehr, keine weiteren nachrichten, keine weiteren sms, horen sie auf, hort auf, hor auf, aufhoren, lassen sie mich in ruhe, lasst mich in ruhe, lass mich in ruhe, ich widerrufe, widerrufe meine einwilligung, einwilligung widerrufen, widerruf, loschen sie meine nummer, nummer loschen, meine nummer loschen, entfernen sie mich, ich widerspreche, widerspruch",
    sentence: "stoppen, stoppt, stoppen sie",
    whole:
      "ende, beenden, kundigen, kundigung, stornieren, aus, loschen, entfernen, schluss, abbrechen, abbruch, genug, halt",
    start: "starten, anmelden, weiter, fortsetzen, wieder anmelden, anmeldung, abonnieren",
    help: "hilfe, bitte um hilfe",
    filler:
      "bitte, danke, vielen dank, dankeschon, besten dank, merci, sofort, jetzt, mich, mir, mit, uns, zu, schreiben, nachrichten, nachricht, sms, werbung, newsletter, mails, mehr, ich mochte, ich will, mochte, mochten, wollen, wir, von, vom, aus, der liste, ihre, ihren, ihrer, eure, euren, diese, diesen, dieser, dem, verteiler, liste, hallo, guten tag, das, alle, alles, endlich, und, gruss, mfg, senden, schicken, erhalten, bekommen, haben, hiermit, ihnen, ihr, bin, wieder, mal, gerne, meine, nummer, whatsapp, fur immer, weitere, die",
    negation: "nicht, nie, niemals, kein, ohne, keinesfalls",
    hedge:
      "wie, wenn, aber, ob, warum, wann, wo, soll, kann, konnen, oder, vielleicht, falls, sondern, bis, was",
    benign:
      "nachster stopp, nachster stop, nachste stopp, zwischenstopp, am stopp, stopp in, der stopp, stopp ist, non stop, boxenstopp, einen stopp, ein stopp",
  },
  fr: {
    clear:
      "desabonner, desabonnez moi, desabonnement, desabonne, desinscrire, desinscription, desinscrivez moi, desinscris moi, me desabonner, me desinscrire, ne veux plus recevoir, ne veux plus de, ne souhaite plus recevoir, ne souhaite plus, ne voulons plus, ne desire plus, arretez de m, arretez de me, arretez d envoyer, arretez vos, arretez les messages, arretez les sms, arrete de m, arrete de me, arreter les sms, arreter les messages, plus de messages, plus de sms, plus de pub, plus de publicite, plus aucun message, ne m envoyez plus, ne m ecrivez plus, ne me contactez plus, ne plus recevoir, plus recevoir, plus etre contacte, cessez de m, cessez d envoyer, cessez vos, cessez, retirez moi, supprimez moi, supprimez mon numero, effacez mon numero, laissez moi tranquille, je retire mon consentement, resilier mon abonnement, annuler mon abonnement, fin abonnement, stop pub, stop sms, stopper les sms, stopper les messages",
    sentence: "arretez, arrete, stopper, stoppez, arretez tout",
    whole:
      "arret, arreter, fin, annuler, resilier, resiliation, quitter, retirer, supprimer, terminer, ca suffit, assez",
    start:
      "demarrer, commencer, reprendre, debut, s abonner, abonner, reabonner, inscription, m inscrire, abonnez moi",
    help: "aide, aidez moi, a l aide",
    filler:
      "svp, s il vous plait, s il te plait, stp, merci, merci d avance, bien vouloir, merci de, bonjour, bonsoir, cordialement, de, des, d, m, me, moi, mon, ma, nous, le, les, la, l, vos, votre, ces, cette, ce, envoyer, envoi, envois, ecrire, contacter, messages, message, sms, textos, texto, pub, publicite, publicites, mails, newsletter, numero, abonnement, liste, listes, tout, tous, toutes, maintenant, immediatement, je veux, je souhaite, je voudrais, veux, souhaite, veuillez, et, a, whatsapp, promotions, promo, commerciaux, vouloir, recevoir, tout de suite, du, spam",
    negation: "ne, n, pas, jamais, non, sans",
    hedge: "comment, si, mais, pourquoi, quand, ou, quoi, puis je, est ce que, peut on, sauf, peut etre",
    benign:
      "non stop, arret de bus, arret du bus, l arret, un arret, prochain arret, arret maladie, arrets, arret de travail, un stop, panneau stop, le stop, auto stop",
  },
  es: {
    clear:
      "darme de baja, darse de baja, dar de baja, denme de baja, deme de baja, dame de baja, me doy de baja, baja por favor, desuscribir, desuscribirme, desuscribirse, desuscribanme, desuscripcion, cancelar suscripcion, cancelar la suscripcion, cancelar mi suscripcion, anular suscripcion, anular la suscripcion, no me envien mas, no me envie mas, no me envies mas, no envien mas, no envie mas, no envies mas, no me manden mas, no me mandes mas, no mas mensajes, no mas sms, no mas publicidad, no quiero mas, no quiero recibir mas, no quiero recibir, no deseo recibir mas, no deseo recibir, no deseo mas, no me escriban, no me escriban mas, no me contacten, no me contacten mas, no me molesten, dejen de, deja de enviarme, deja de escribirme, deja de mandarme, deje de, paren de, eliminenme, borrenme, borren mi numero, eliminen mi numero, quitenme, saquenme, revoco mi consentimiento",
    sentence: "parar mensajes, detener mensajes, para ya, pare ya, paren",
    whole:
      "baja, alto, parar, para, pare, cancelar, cancela, fin, salir, terminar, detener, detente, anular, basta, eliminar, borrar, revocar, quitar, no mas, finalizar",
    start: "empezar, comenzar, iniciar, inicio, alta, suscribir, suscribirme, reanudar, continuar, activar",
    help: "ayuda, ayudame, informacion",
    filler:
      "por favor, porfavor, porfa, xfa, gracias, muchas gracias, hola, buenos dias, buenas, ya, ahora, inmediatamente, me, mi, a, de, los, las, la, el, sus, su, estos, este, mas, mensajes, mensaje, sms, mandar, mandarme, enviar, enviarme, escribir, escribirme, molestar, molestarme, publicidad, promociones, ofertas, boletin, lista, numero, suscripcion, quiero, deseo, quisiera, todo, todos, recibir, y, saludos, whatsapp, en, textos, correos, servicio, este servicio, nunca",
    negation: "no, nunca jamas, sin, ni",
    hedge: "como, si, pero, cuando, donde, que, porque, puedo, puede, quiza, tal vez, excepto, cual",
    benign: "sin parar, planta baja, non stop, temporada baja, el stop, un stop, senal de stop",
  },
  it: {
    clear:
      "annulla iscrizione, annullare iscrizione, annulla l iscrizione, annullare l iscrizione, cancella iscrizione, cancellare iscrizione, cancella l iscrizione, disiscrivi, disiscrivimi, disiscrivetemi, disiscrivermi, disiscriviti, disiscrizione, disiscrivere, cancellatemi, cancellami, toglietemi, toglimi, rimuovetemi, rimuovimi, eliminatemi, basta messaggi, basta sms, basta pubblicita, basta con, smettetela, smettila, smettete di, smetti di, smettere di, non inviatemi piu, non inviate piu, non mandatemi piu, non mandate piu, non inviarmi piu, non mandarmi piu, non scrivetemi, non scrivetemi piu, non scrivermi piu, non contattatemi, non contattatemi piu, non contattarmi piu, non voglio piu, non desidero piu, non voglio ricevere, niente messaggi, niente piu messaggi, nessun messaggio, lasciatemi in pace, revoco il consenso, revoca consenso, disdire abbonamento, stop messaggi, stop sms, stop pubblicita",
    sentence: "smettete, fermatevi, fermate",
    whole:
      "annulla, annullare, ferma, fermare, fermati, fine, basta, cancella, cancellare, esci, termina, terminare, disdici, disdire, disdetta, rimuovi, elimina, arresta, revoca, interrompi",
    start: "inizia, iniziare, avvia, attiva, riprendi, riattiva, iscrivimi, iscriviti, iscrivi, iscrivermi",
    help: "aiuto, aiutatemi, informazioni, assistenza",
    filler:
      "per favore, perfavore, per piacere, grazie, grazie mille, cortesemente, gentilmente, ciao, buongiorno, salve, subito, adesso, ora, mi, il, lo, la, l, i, gli, le, di, a, da, dal, dalla, vostri, vostra, vostre, questi, questo, miei, mio, messaggi, messaggio, sms, mandare, mandarmi, inviare, inviarmi, scrivere, scrivermi, contattarmi, pubblicita, promozioni, offerte, newsletter, lista, numero, iscrizione, voglio, vorrei, desidero, tutto, tutti, ricevere, con, e, piu, whatsapp, questa, ormai",
    negation: "non, mai, senza",
    hedge: "come, se, ma, quando, dove, perche, posso, puo, forse, tranne, che, o",
    benign: "non stop, lo stop, uno stop, segnale di stop, basta che",
  },
  pt: {
    clear:
      "cancelar inscricao, cancelar a inscricao, cancelar minha inscricao, cancelar assinatura, cancelar subscricao, cancelar a subscricao, cancelar a assinatura, anular subscricao, descadastrar, descadastre, descadastrem, descadastrar me, me descadastre, me descadastrem, descadastro, desinscrever, me desinscreva, desinscricao, remover meu numero, me remova, me removam, removam me, me tira, me tirem, me tire, tirem me, me exclua, me excluam, pare de, parem de, para de me, parar de receber, parar de enviar, nao quero mais, nao quero receber, nao desejo receber, nao desejo mais, nao me mande mais, nao me mandem mais, nao me envie mais, nao me enviem mais, nao envie mais, nao enviem mais, nao mande mais, nao mandem mais, nao me contacte, nao me contactem, nao me contatem, nao me escrevam, chega de, sem mais mensagens, deixem me em paz, me deixe em paz, me deixem em paz, revogo o consentimento, revogo meu consentimento, deixem de, deixe de, dar baixa",
    sentence: "parem, pare ja, para ja, parem ja",
    whole:
      "parar, pare, sair, cancelar, cancela, cancele, fim, remover, remova, excluir, terminar, encerrar, desativar, desligar, chega, basta, anular, revogar, suspender, para",
    start: "iniciar, comecar, inicio, ativar, voltar, continuar, inscrever, assinar, retomar, subscrever",
    help: "ajuda, socorro, informacoes",
    filler:
      "por favor, pf, pfv, porfavor, se faz favor, obrigado, obrigada, obg, ola, oi, bom dia, boa tarde, agora, ja, imediatamente, me, meu, minha, a, o, os, as, de, da, do, das, dos, suas, seus, estas, essas, esses, estes, mais, mensagens, mensagem, sms, mandar, enviar, escrever, receber, propaganda, propagandas, publicidade, promocoes, ofertas, lista, numero, inscricao, subscricao, quero, desejo, gostaria de, tudo, todas, todos, com, e, whatsapp, esta, esse, nunca",
    negation: "nao, nunca mais, sem, nem",
    hedge: "como, se, mas, quando, onde, que, porque, posso, pode, talvez, exceto, ou, qual",
    benign: "sem parar, non stop, vou sair",
  },
  nl: {
    clear:
      "afmelden, meld me af, meld mij af, meldt mij af, afmelding, uitschrijven, schrijf me uit, schrijf mij uit, schrijft u mij uit, uitschrijving, geen berichten meer, geen bericht meer, geen sms meer, geen sms jes meer, geen smsjes meer, geen reclame meer, geen reclame, geen whatsapp meer, geen mails meer, wil geen, niet meer sturen, niet meer appen, niet meer berichten, stuur me niets meer, stuur mij niets meer, stuur geen, stuur me geen, niet meer contacteren, stop met, stoppen met, hou op, houd op, ophouden, laat me met rust, laat mij met rust, verwijder me, verwijder mij, verwijder mijn nummer, haal me van, haal mij van, abonnement opzeggen, ik trek mijn toestemming in, toestemming intrekken, abonnement stopzetten",
    sentence: "stoppen",
    whole:
      "opzeggen, einde, annuleren, annuleer, verwijderen, verwijder, beeindigen, intrekken, stopzetten, uit, afsluiten, genoeg, klaar",
    start: "starten, beginnen, aanmelden, hervatten, inschrijven, doorgaan, aanmelding",
    help: "hulp, informatie",
    filler:
      "aub, a u b, alsjeblieft, alstublieft, svp, graag, bedankt, dank u, dank je, dankjewel, dankuwel, hallo, hoi, goedendag, nu, direct, meteen, onmiddellijk, mij, me, mijn, met, de, het, deze, die, jullie, uw, van, sms, sms en, smsen, smsjes, sms jes, sturen, berichten, bericht, appen, reclame, nieuwsbrief, lijst, nummer, ik wil, wil, ik zou graag, willen, alle, alles, ontvangen, en, meer, krijgen, groeten, mvg, whatsapp, abonnement, voor, voorgoed, spam, hier, hiervoor, dit, te, ik, mezelf",
    negation: "niet, nooit, geen, zonder",
    hedge: "hoe, als, maar, waarom, wanneer, waar, kan, kunnen, of, misschien, tenzij, behalve, wat, zou",
    benign: "non stop, bus stop, stop contact, stopcontact, tussenstop, volgende stop",
  },
  pl: {
    clear:
      "wypisz mnie, wypiszcie mnie, prosze mnie wypisac, wypisac mnie, chce sie wypisac, wypisuje sie, wypisac sie, wypisz sie, rezygnuje, rezygnuje z, rezygnacja, nie chce wiecej, nie chce juz, nie chce otrzymywac, nie chce dostawac, nie zycze sobie, nie wysylac, nie wysylajcie, nie wysylaj, nie wysylac wiecej, nie piszcie, nie pisz, nie przysylajcie, nie przysylac, nie kontaktowac, nie kontaktujcie, przestancie wysylac, przestancie pisac, prosze przestac, przestan pisac, przestan wysylac, prosze o wypisanie, prosze o usuniecie, usuncie mnie, usun mnie, usuncie moj numer, usun moj numer, prosze usunac, koniec z, zadnych wiadomosci, zadnych sms, dosc wiadomosci, cofam zgode, wycofuje zgode, odwoluje zgode, anuluj subskrypcje, dajcie mi spokoj, odsubskrybuj, anulowac subskrypcje",
    sentence: "przestancie, przestan, przestac",
    whole:
      "wypisz, anuluj, anulowac, koniec, zakoncz, zatrzymaj, usun, rezygnuj, wylacz, dosc, wypisac, odwolaj, cofnij, usunac, wystarczy, zrezygnuj, wycofaj",
    start: "wznow, rozpocznij, zacznij, zapisz, zapisz mnie, wlacz, aktywuj, subskrybuj",
    help: "pomoc, pomocy, informacje",
    filler:
      "prosze, dziekuje, dzieki, dziekuje bardzo, z gory dziekuje, pozdrawiam, dzien dobry, witam, natychmiast, teraz, juz, mi, mnie, do mnie, moj, numer, numeru, z, ze, listy, liste, wiecej, sms, smsy, smsow, sms y, sms ow, wiadomosci, wiadomosc, wysylac, wysylanie, wysylania, pisac, reklam, reklamy, ofert, oferty, otrzymywac, dostawac, chce, tych, te, wszystkie, wszystko, i, o, to, tego, waszych, bazy, natretnych, subskrypcji, subskrypcje, whatsapp, zgode, na, kontakt",
    negation: "nie, nigdy, bez",
    hedge: "jak, jesli, ale, czy, dlaczego, kiedy, gdzie, moge, moze, czemu, oprocz, chyba, lub",
    benign: "non stop, przystanek, znak stop",
  },
  tr: {
    clear:
      "listeden cikar, listeden cikarin, listeden cikart, beni listeden cikarin, beni listeden cikar, listenizden cikarin, listenizden cikar, beni cikarin, beni cikar, abonelikten cik, abonelikten cikmak istiyorum, abonelikten cikar, abonelikten cikis, abonelikten ayril, aboneligi iptal, aboneligi iptal et, aboneligimi iptal, aboneligimi iptal edin, uyeligimi iptal, uyeligimi iptal edin, uyelikten cik, mesaj atmayin, mesaj atma, mesaj gondermeyin, mesaj gonderme, mesaj gondermeyiniz, mesaj istemiyorum, mesajlari durdur, mesajlari durdurun, mesaj almak istemiyorum, sms istemiyorum, sms gondermeyin, sms atmayin, sms gondermeyiniz, sms iptal, sms almak istemiyorum, reklam istemiyorum, reklam gondermeyin, reklam atmayin, yazmayin, bana yazmayin, artik yazmayin, bir daha yazmayin, beni rahatsiz etmeyin, rahatsiz etmeyin, rahat birakin, numarami silin, beni silin, iptal et, iptal edin lutfen, iznimi geri cekiyorum, onayimi geri cekiyorum, iptal etmek istiyorum",
    sentence: "durdurun, durdur",
    whole:
      "iptal, dur, ret, red, cik, cikis, son, bitir, kapat, yeter, sil, vazgec, ayril, reddet, iptal edin",
    start: "basla, baslat, devam, abone ol, kayit ol, tekrar basla, uye ol, yeniden basla",
    help: "yardim, destek, bilgi",
    filler:
      "lutfen, tesekkurler, tesekkur ederim, tesekkur, sagol, sagolun, merhaba, selam, hemen, artik, bana, beni, bir daha, daha, fazla, bu, mesaj, mesajlar, mesajlari, mesajlarinizi, sms, smsleri, sms leri, numaradan, numarami, reklam, kampanya, gonderme, gonderimi, istiyorum, tum, butun, ve, kolay gelsin, iyi gunler, listenizden, simdi, bildirim, bildirimleri, whatsapp, uyeligi, uyelik, abonelik",
    negation: "degil, sakin, etme, etmeyin, olmasin",
    hedge: "nasil, eger, ama, neden, ne zaman, nerede, miyim, misiniz, mi, veya, belki, fakat, mu",
    benign:
      "iptal etme, iptal etmeyin, non stop, otobus duragi, iptal edilmesin, siparisimi iptal et, siparisi iptal et, siparisimi iptal etmek istiyorum, siparisimi iptal edin, randevumu iptal et, randevumu iptal etmek istiyorum, rezervasyonu iptal et, siparis iptal et",
  },
  sv: {
    clear:
      "avregistrera, avregistrera mig, avregistrering, avprenumerera, avprenumerera mig, avprenumeration, avanmal, avanmal mig, avanmalan, sluta skicka, sluta skriva, sluta sms a, sluta smsa, sluta kontakta, sluta messa, sluta spamma, inga fler meddelanden, inga fler sms, inga fler mess, inga mer meddelanden, inga mer sms, ingen mer reklam, ingen reklam, inga meddelanden, inga fler utskick, inga utskick, skicka inte fler, skicka inte mer, skicka inga fler, skicka inga mer, skicka inget mer, skriv inte mer, skriv inte till mig, vill inte ha fler, vill inte ha mer, vill inte ha, vill inte fa, vill inte langre, kontakta mig inte, kontakta inte mig, ta bort mig, ta bort mitt nummer, stryk mig, radera mitt nummer, radera mig, lamna mig ifred, lat mig vara, avsluta prenumeration, avsluta prenumerationen, avsluta min prenumeration, aterkalla samtycke, jag aterkallar mitt samtycke, saga upp prenumerationen, sag upp",
    sentence: "sluta, upphor, stoppa",
    whole:
      "avsluta, avbryt, slut, ta bort, avboka mig, nej tack stopp, radera, avbestall, avbestalla, avslut, nog, avstang, uppsagning",
    start:
      "borja, starta, aterga, prenumerera, anmal, anmal mig, fortsatt, registrera, ateruppta, registrera mig",
    help: "hjalp, hjalp mig, information",
    filler:
      "tack, snalla, vanligen, var snall och, tack sa mycket, hej, hejsan, nu, genast, omedelbart, mig, mitt, min, till, fran, er, era, med, att, dessa, detta, sms, sms a, smsa, mess, meddelanden, meddelande, reklam, erbjudanden, utskick, skicka, skriva, kontakta, lista, listan, nummer, jag vill, vill, alla, allt, fler, mer, ha, fa, och, mvh, ni, det, den, prenumeration, prenumerationen, jag, langre, era utskick, ert, whatsapp, har, snarast, nyhetsbrev",
    negation: "inte, aldrig, ej, utan, inga, ingen",
    hedge: "hur, om, men, varfor, nar, var, kan, eller, kanske, vad, forutom, ska",
    benign: "non stop, busstopp, nasta stopp, pa stopp, ett stopp",
  },
  ar: {
    clear:
      "الغاء الاشتراك, الغي الاشتراك, الغ الاشتراك, الغوا الاشتراك, الغاء اشتراكي, الغي اشتراكي, الغوا اشتراكي, اريد الغاء الاشتراك, اريد الغاء اشتراكي, ايقاف الرسائل, اوقف الرسائل, اوقفوا الرسائل, اوقفوا ارسال, اوقف ارسال, توقفوا عن ارسال, توقف عن ارسال, توقفوا عن مراسلتي, توقف عن مراسلتي, لا ترسلوا, لا ترسل, لا ترسلوا لي, لا ترسل لي, لا تراسلوني, لا تراسلني, لا اريد رسائل, لا اريد رسايل, لا اريد اي رسائل, لا اريد المزيد, لا اريد استلام, لا اريد استقبال, لا ارغب, لا تتواصلوا معي, لا تتواصل معي, كفى رسائل, احذفوني, احذفوا رقمي, احذف رقمي, ازيلوني, ازيلوا رقمي, الغاء الرسائل, وقف الرسائل, اتركوني, اسحب موافقتي",
    sentence: "اوقفوا, توقفوا, اوقف",
    whole: "ايقاف, توقف, قف, الغاء, وقف, انهاء, الغ, الغي, حذف, كفى, خروج, ستوب, يكفي, انسحاب, ازاله",
    start: "ابدا, ابدء, بدء, بدا, اشترك, اشتراك, استئناف, تفعيل, استمرار",
    help: "مساعده, المساعده, ساعدوني, معلومات",
    filler:
      "من فضلك, من فضلكم, رجاء, لو سمحت, لو سمحتم, شكرا, شكرا لكم, شكرا جزيلا, مرحبا, السلام عليكم, الان, فورا, لي, الي, عن, هذه, هذا, الرسائل, رسائل, رساله, ارسال, مراسلتي, الاعلانات, اعلانات, العروض, جميع, كل, من, رقمي, القائمه, اريد, ارجو, الرجاء, اشتراكي, الاشتراك, النصيه, بعد, مره اخرى, اخرى, المزيد, مجددا, ارجوكم, التسويقيه, و, بعد الان",
    negation: "لا, ليس, لم, لن, بدون",
    hedge: "كيف, اذا, لكن, ولكن, لماذا, متى, اين, هل, او, ربما, ماذا",
    benign: "لا تتوقفوا, لا تتوقف, موقف, لا توقفوا, لا تلغوا, لا اريد الغاء",
  },
  hi: {
    clear:
      "मैसेज मत भेजो, मैसेज मत भेजें, मैसेज मत भेजिए, मेसेज मत भेजो, मेसेज मत भेजें, संदेश मत भेजो, संदेश मत भेजें, संदेश मत भेजिए, संदेश न भेजें, मैसेज न भेजें, मत भेजो, मत भेजें, मत भेजिए, न भेजें, मैसेज बंद करो, मैसेज बंद करें, संदेश बंद करें, संदेश बंद करो, एसएमएस बंद करो, एसएमएस बंद करें, भेजना बंद करो, भेजना बंद करें, भेजना बंद कीजिए, सदस्यता रद्द करें, सदस्यता समाप्त करें, सदस्यता रद्द करो, सब्सक्रिप्शन रद्द करें, अनसब्सक्राइब, मुझे हटाओ, मुझे हटाएं, मेरा नंबर हटाओ, मेरा नंबर हटाएं, मेरा नंबर हटा दो, सूची से हटाएं, लिस्ट से हटाओ, संदेश नहीं चाहिए, मैसेज नहीं चाहिए, और मैसेज नहीं चाहिए, संपर्क न करें, संपर्क मत करो, परेशान मत करो, message mat bhejo, msg mat bhejo, sms mat bhejo, mat bhejo, mat bhejna, mat bhejiye, message band karo, msg band karo, sms band karo, message bhejna band karo, bhejna band karo, messages band karo, message nahi chahiye, msg nahi chahiye, mujhe hatao, mera number hatao, list se hatao, pareshan mat karo, unsubscribe karo, stop karo, बंद कर दो मैसेज",
    sentence:
      "बंद करो, बंद करें, बंद कीजिए, बंद कर दो, बंद कर दीजिए, band karo, band kare, band karen, band kar do, रोको, रोकें, रोकिए, स्टॉप करो, स्टॉप करें",
    whole:
      "बंद, स्टॉप, स्टोप, रुको, रुकें, रुकिए, रद्द, रद्द करें, रद्द करो, समाप्त, हटाओ, हटाएं, ruko, roko, band, समाप्त करें, hatao, radd karo, bas karo, बस करो, खत्म",
    start: "शुरू, शुरू करें, शुरू करो, चालू, चालू करें, चालू करो, स्टार्ट, shuru, shuru karo, chalu karo, फिर से शुरू करें",
    help: "मदद, सहायता, हेल्प, madad, मदद करें, मदद चाहिए, sahayata, जानकारी",
    filler:
      "कृपया, प्लीज, प्लीज़, धन्यवाद, शुक्रिया, नमस्ते, अभी, तुरंत, मुझे, मेरे, मेरा, को, और, अब, आगे, ये, यह, सब, सभी, सारे, संदेश, संदेशों, मैसेज, मेसेज, एसएमएस, विज्ञापन, प्रचार, ऑफर, भेजना, नंबर, पर, से, से अब, please, plz, pls, dhanyavad, shukriya, mujhe, mere, ab, aur, ye, yeh, sab, sare, message, messages, msg, sms, ko, par, number, भाई, bhai, जी, ji, दोबारा, dobara, namaste, turant, अपने",
    negation: "मत, नहीं, न, ना, mat, nahi, na",
    hedge: "कैसे, अगर, लेकिन, क्यों, कब, कहाँ, क्या, या, शायद, kaise, agar, lekin, kyon, kyu, kab, kahan, kya",
    benign: "बस स्टॉप, बंद मत करो, बंद मत करें, बंद न करें, band mat karo, bus stop, भेजना बंद मत करो, रुकना मत",
  },
};
