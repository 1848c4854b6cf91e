/** Promises that nobody can keep, for people to look at. Linear in the length of the text. */
import type { AbuseLanguage } from "./abuse-words.ts";
import type { Place } from "./checks.ts";
import { LexiconIndex, sentencesOf } from "./lexicon.ts";
import type { TextViews } from "./normalise.ts";

interface ClaimWords {
  sure: string;
  /** Money that grows. */
  gain: string;
  /** "Without risk" and the like. */
  safe: string;
  money: string;
  cure: string;
  illness: string;
  /** Cures in one word. */
  miracle: string;
  lose: string;
  weight: string;
  fast: string;
  won: string;
  prize: string;
  /** Whole promises. */
  whole: string;
  not: string;
}

const lexicons: Record<AbuseLanguage, ClaimWords> = {
  en: {
    sure: `guaranteed, guarantee, guarantees, certain, assured, surefire, 100`,
    gain: `profit, profits, return, returns, income, yield, interest, earnings, winnings, payout, dividends, gains, success`,
    safe: `risk free, riskfree, no risk, zero risk, without risk, without any risk, cannot lose, cant lose, nothing to lose, no losses`,
    money: `invest, investment, investing, investments, crypto, bitcoin, trading, stocks, money, capital, profit, profits, returns, return, fund, plan, savings, forex`,
    cure: `cure, cures, cured, curing, heal, heals, healed, eliminates, reverses, reverse, eradicates, gets rid`,
    illness: `cancer, diabetes, depression, arthritis, alzheimer, alzheimers, covid, hiv, aids, asthma, illness, disease, diseases, tumour, tumours, tumor, tumors, migraine, hypertension, blood pressure, psoriasis, infertility, autism, dementia, pain, anxiety`,
    miracle: `miracle cure, miracle drug, miracle pill, wonder cure, cures everything, cures all, no side effects, without side effects`,
    lose: `lose, shed, drop, burn, melt`,
    weight: `kg, kilos, kilo, pounds, lbs, weight, stone, fat`,
    fast: `week, weeks, days, day, overnight, month, hours`,
    won: `you have won, youve won, you won, you are the winner, youre the winner, lucky winner, you have been selected, you have been chosen`,
    prize: `prize, iphone, phone, car, voucher, gift card, cash, lottery, jackpot, reward, congratulations, claim, drawn`,
    whole: `double your money, triple your money, doubles your money, get rich quick, get rich fast, become a millionaire, guaranteed approval, approved for everyone, no credit check, never be hungry again, works for everyone, guaranteed results, guaranteed cure, scientifically impossible to fail, 100 effective, 100 safe, 100 success rate`,
    not: `not, no, never, dont, isnt, cannot, cant`,
  },
  de: {
    sure: `garantiert, garantierte, garantierter, garantiertes, garantierten, garantie, garantieren, sicher, sichere, sicherer, sicheren, 100`,
    gain: `gewinn, gewinne, rendite, renditen, ertrag, ertrage, einkommen, zinsen, verdienst, erfolg, auszahlung`,
    safe: `risikofrei, risikofreie, risikolos, ohne risiko, ganz ohne risiko, kein risiko, null risiko, ohne jedes risiko`,
    money: `geld, anlage, geldanlage, investition, investieren, investment, krypto, bitcoin, trading, aktien, kapital, rendite, gewinn, gewinne, sparplan, vermogen, plan`,
    cure: `heilt, heilen, geheilt, heilung, kuriert, besiegt, beseitigt`,
    illness: `krebs, diabetes, depression, depressionen, arthrose, rheuma, alzheimer, covid, hiv, asthma, krankheit, krankheiten, tumor, tumore, migrane, bluthochdruck, schuppenflechte, autismus, demenz, schmerzen, angst`,
    miracle: `wundermittel, wunderheilung, wunderpille, heilt alles, keine nebenwirkungen, ohne nebenwirkungen, garantierte heilung`,
    lose: `abnehmen, nimm, nehmen, verlieren, verliere, verlier, abspecken`,
    weight: `kg, kilo, kilos, pfund, gewicht`,
    fast: `woche, wochen, tag, tage, tagen, nacht, monat, monaten`,
    won: `sie haben gewonnen, du hast gewonnen, haben gewonnen, sie sind der gewinner, du bist der gewinner, wurden ausgewahlt, wurdest ausgewahlt, glucklicher gewinner`,
    prize: `preis, iphone, handy, auto, gutschein, bargeld, lotterie, jackpot, herzlichen gluckwunsch, gewinn, einlosen, abholen, gezogen`,
    whole: `verdoppeln sie ihr geld, verdopple dein geld, verdoppelt ihr geld, schnell reich, reich uber nacht, kredit ohne prufung, kredit fur jeden, fur jeden genehmigt, 100 wirksam, 100 sicher, garantierter erfolg, ergebnis garantiert`,
    not: `nicht, kein, keine, nie`,
  },
  es: {
    sure: `garantizad*, garantizamos, garantiza, garantia, asegurad*, segur*, 100`,
    gain: `ganancia, ganancias, rentabilidad, beneficio, beneficios, ingresos, rendimiento, rendimientos, intereses, retorno, exito`,
    safe: `sin riesgo, sin riesgos, sin ningun riesgo, libre de riesgo, libre de riesgos, cero riesgo, riesgo cero`,
    money: `dinero, invertir, inversion, inversiones, cripto, bitcoin, trading, acciones, capital, rentabilidad, ganancias, plan, ahorros`,
    cure: `cura, curan, curar, curado, sana, sanan, sanar, elimina, revierte`,
    illness: `cancer, diabetes, depresion, artritis, artrosis, alzheimer, covid, vih, sida, asma, enfermedad, enfermedades, tumor, tumores, migrana, hipertension, psoriasis, autismo, demencia, dolor, ansiedad`,
    miracle: `cura milagrosa, remedio milagroso, pastilla milagrosa, sin efectos secundarios, cura garantizada, lo cura todo`,
    lose: `pierde, perder, adelgaza, adelgazar, baja, pierda`,
    weight: `kg, kilos, kilo, peso, libras`,
    fast: `semana, semanas, dia, dias, noche, mes`,
    won: `has ganado, ha ganado, eres el ganador, es el ganador, has sido seleccionado, ha sido seleccionado, has sido elegido, afortunado ganador`,
    prize: `premio, iphone, movil, coche, vale, tarjeta regalo, efectivo, loteria, felicidades, enhorabuena, reclama, sorteo`,
    whole: `duplica tu dinero, duplique su dinero, hazte rico, hagase rico, credito sin comprobaciones, prestamo aprobado para todos, 100 efectivo, 100 eficaz, 100 seguro, exito garantizado, resultados garantizados, resultado garantizado`,
    not: `no, nunca, ningun`,
  },
  fr: {
    sure: `garanti*, garantissons, garantie, assure*, certain*, sur, 100`,
    gain: `gain, gains, rendement, rendements, benefice, benefices, revenu, revenus, interets, profit, profits, rentabilite, reussite, succes`,
    safe: `sans risque, sans aucun risque, zero risque, aucun risque, sans le moindre risque`,
    money: `argent, investir, investissement, investissements, placement, crypto, bitcoin, trading, actions, capital, rendement, gains, epargne, plan`,
    cure: `guerit, guerissent, guerir, gueri, soigne definitivement, elimine, guerison`,
    illness: `cancer, diabete, depression, arthrose, arthrite, alzheimer, covid, vih, sida, asthme, maladie, maladies, tumeur, tumeurs, migraine, hypertension, psoriasis, autisme, demence, douleur, douleurs, anxiete`,
    miracle: `remede miracle, cure miracle, pilule miracle, sans effets secondaires, aucun effet secondaire, guerison garantie, guerit tout`,
    lose: `perdez, perdre, perds, maigrir, maigrissez`,
    weight: `kg, kilos, kilo, poids`,
    fast: `semaine, semaines, jour, jours, nuit, mois`,
    won: `vous avez gagne, tu as gagne, vous etes le gagnant, heureux gagnant, vous avez ete selectionne, avez ete tire au sort, as ete selectionne`,
    prize: `prix, lot, iphone, telephone, voiture, bon d achat, carte cadeau, loterie, felicitations, reclamez, cadeau, cheque`,
    whole: `doublez votre argent, double ton argent, devenez riche, devenir riche, credit sans verification, credit accorde a tous, 100 efficace, 100 sur, resultats garantis, resultat garanti, succes garanti`,
    not: `pas, aucune, jamais, ne`,
  },
  it: {
    sure: `garantit*, garantiamo, garantisce, garanzia, assicurat*, sicur*, certo, 100`,
    gain: `guadagno, guadagni, rendimento, rendimenti, profitto, profitti, rendita, reddito, interessi, vincita, successo`,
    safe: `senza rischi, senza rischio, senza alcun rischio, zero rischi, rischio zero, nessun rischio, privo di rischi`,
    money: `denaro, soldi, investire, investi, investimento, investimenti, cripto, bitcoin, trading, azioni, capitale, rendimento, guadagni, piano, risparmi`,
    cure: `cura, curano, guarisce, guariscono, guarire, guarito, elimina, sconfigge`,
    illness: `cancro, tumore, tumori, diabete, depressione, artrite, artrosi, alzheimer, covid, hiv, asma, malattia, malattie, emicrania, ipertensione, psoriasi, autismo, demenza, dolore, ansia`,
    miracle: `cura miracolosa, rimedio miracoloso, pillola miracolosa, senza effetti collaterali, nessun effetto collaterale, guarigione garantita, cura tutto`,
    lose: `perdi, perdere, perda, dimagrisci, dimagrire`,
    weight: `kg, chili, chilo, peso`,
    fast: `settimana, settimane, giorno, giorni, notte, mese`,
    won: `hai vinto, ha vinto, sei il vincitore, fortunato vincitore, sei stato selezionato, e stato selezionato, sei stato scelto, avete vinto`,
    prize: `premio, iphone, telefono, auto, buono, carta regalo, contanti, lotteria, congratulazioni, complimenti, ritira, estrazione`,
    whole: `raddoppia i tuoi soldi, raddoppia il tuo denaro, raddoppi i suoi soldi, diventa ricco, diventare ricchi, prestito approvato per tutti, prestito senza controlli, 100 efficace, 100 sicuro, risultati garantiti, risultato garantito, successo garantito`,
    not: `non, mai, nessuna`,
  },
  nl: {
    sure: `gegarandeerd*, garandeert, garanderen, garantie, zeker, verzekerd, 100`,
    gain: `winst, winsten, rendement, rendementen, opbrengst, inkomen, rente, verdiensten, succes`,
    safe: `risicovrij, risicoloos, zonder risico, zonder enig risico, geen risico, nul risico`,
    money: `geld, beleggen, belegging, beleggingen, investeren, investering, crypto, bitcoin, trading, aandelen, kapitaal, rendement, winst, plan, spaargeld`,
    cure: `geneest, genezen, genees, verhelpt, elimineert`,
    illness: `kanker, diabetes, depressie, artrose, artritis, alzheimer, covid, hiv, astma, ziekte, ziektes, ziekten, tumor, tumoren, migraine, bloeddruk, psoriasis, autisme, dementie, pijn, angst`,
    miracle: `wondermiddel, wonderpil, zonder bijwerkingen, geen bijwerkingen, gegarandeerde genezing, geneest alles`,
    lose: `val, afvallen, verlies, kwijt`,
    weight: `kg, kilo, kilos, gewicht`,
    fast: `week, weken, dag, dagen, nacht, maand`,
    won: `je hebt gewonnen, u hebt gewonnen, u heeft gewonnen, je bent de winnaar, u bent de winnaar, bent geselecteerd, bent uitgekozen, gelukkige winnaar`,
    prize: `prijs, iphone, telefoon, auto, cadeaubon, contant, loterij, jackpot, gefeliciteerd, claim, trekking`,
    whole: `verdubbel je geld, verdubbel uw geld, snel rijk, word rijk, lening zonder controle, lening voor iedereen, 100 effectief, 100 veilig, succes gegarandeerd, resultaat gegarandeerd`,
    not: `niet, geen, nooit`,
  },
  pl: {
    sure: `gwarantowan*, gwarantujemy, gwarantuje, gwarancja, gwarancja, pewny, pewna, pewne, pewnego, 100`,
    gain: `zysk, zysku, zyski, zyskow, zwrot, zwrotu, dochod, dochodu, odsetki, zarobek, zarobki, wygrana, sukces`,
    safe: `bez ryzyka, zero ryzyka, zadnego ryzyka, bez zadnego ryzyka`,
    money: `pieniadze, pieniedzy, inwestycja, inwestycji, inwestuj, inwestowanie, krypto, kryptowaluty, bitcoin, trading, akcje, kapital, zysk, zysku, plan, oszczednosci`,
    cure: `leczy, wyleczy, wyleczyc, uzdrawia, likwiduje, wyleczony`,
    illness: `raka, rak, nowotwor, nowotwory, cukrzyca, cukrzyce, depresja, depresje, artretyzm, alzheimera, covid, hiv, astma, astme, choroba, choroby, migrena, migrene, nadcisnienie, luszczyce, autyzm, demencje, bol, lek`,
    miracle: `cudowny lek, cudowna tabletka, cudowne lekarstwo, bez skutkow ubocznych, zadnych skutkow ubocznych, leczy wszystko`,
    lose: `schudnij, schudnac, stracic, zrzuc, zrzucic, schudniesz`,
    weight: `kg, kilo, kilogramow, wagi`,
    fast: `tydzien, tygodni, tygodnia, dni, dzien, noc, miesiac`,
    won: `wygrales, wygralas, wygral pan, wygrala pani, zostales wybrany, zostalas wybrana, zostal pan wybrany, jestes zwyciezca, szczesliwy zwyciezca`,
    prize: `nagroda, nagrode, iphone, telefon, samochod, bon, karte podarunkowa, gotowke, loteria, loterii, gratulacje, odbierz, losowaniu`,
    whole: `podwoj swoje pieniadze, podwoj pieniadze, szybko sie wzbogac, pozyczka dla kazdego, pozyczka bez sprawdzania, 100 skuteczn*, 100 bezpieczn*, gwarantowany sukces, gwarancja sukcesu, gwarantowane efekty`,
    not: `nie, nigdy, zaden`,
  },
  pt: {
    sure: `garantid*, garantimos, garante, garantia, assegurad*, cert*, 100`,
    gain: `lucro, lucros, rendimento, rendimentos, retorno, retornos, renda, juros, ganho, ganhos, rentabilidade, sucesso`,
    safe: `sem risco, sem riscos, sem qualquer risco, risco zero, zero risco, nenhum risco, livre de risco`,
    money: `dinheiro, investir, invista, investimento, investimentos, cripto, bitcoin, trading, acoes, capital, lucro, lucros, retorno, plano, poupanca`,
    cure: `cura, curam, curar, curado, sara, elimina, reverte`,
    illness: `cancro, cancer, diabetes, depressao, artrite, artrose, alzheimer, covid, hiv, vih, sida, asma, doenca, doencas, tumor, tumores, enxaqueca, hipertensao, psoriase, autismo, demencia, dor, ansiedade`,
    miracle: `cura milagrosa, remedio milagroso, pilula milagrosa, sem efeitos secundarios, sem efeitos colaterais, cura garantida, cura tudo`,
    lose: `perca, perder, perde, emagreca, emagrecer, elimine`,
    weight: `kg, quilos, quilo, peso`,
    fast: `semana, semanas, dia, dias, noite, mes`,
    won: `voce ganhou, ganhaste, ganhou um, ganhou uma, foi selecionado, foi sorteado, foste selecionado, e o vencedor, feliz vencedor`,
    prize: `premio, iphone, telemovel, celular, carro, vale, cartao presente, dinheiro, loteria, lotaria, parabens, resgate, sorteio`,
    whole: `duplique o seu dinheiro, dobre seu dinheiro, dobre o seu dinheiro, fique rico, emprestimo aprovado para todos, emprestimo sem consulta, 100 eficaz, 100 seguro, sucesso garantido, resultados garantidos, resultado garantido`,
    not: `nao, nunca, nenhum`,
  },
  tr: {
    sure: `garanti, garantili, garantisi, garanti ed*, kesin, yuzde yuz, 100`,
    gain: `kazanc*, kar, kari, getiri*, gelir, faiz, kazanma*, basari*`,
    safe: `risksiz, sifir risk, risk yok, hic risk, riski yok, kayip yok`,
    money: `para, parani*, yatirim*, yatirimi*, kripto, bitcoin, borsa, hisse, sermaye, getiri, kazanc, plan, birikim`,
    cure: `iyilestir*, tedavi eder, tedavi ediyor, yok eder, sifa, bitirir`,
    illness: `kanser*, diyabet*, seker hastaligi*, depresyon*, romatizma*, alzheimer*, covid, hiv, astim*, hastalik*, tumor*, migren*, tansiyon*, sedef*, otizm*, bunama, agri*, kaygi*`,
    miracle: `mucize ilac, mucize hap, mucize tedavi, yan etkisi yok, yan etkisiz, kesin tedavi, her derde deva`,
    lose: `zayifla*, ver, verin, kilo ver*`,
    weight: `kg, kilo`,
    fast: `hafta*, gun*, gece*, ay, ayda`,
    won: `kazandiniz, kazandin, secildiniz, secildin, sansli kazanan, cekilisi kazandiniz`,
    prize: `odul*, hediye*, iphone, telefon, araba, cek, nakit, piyango, tebrikler, ikramiye, cekilis*, talep`,
    whole: `paranizi ikiye katlayin, parani ikiye katla, ikiye katlanir, ikiye katlayin, zengin olun, zengin ol, herkese kredi, kredi onaylandi, 100 etkili, 100 guvenli, basari garantili, sonuc garantili`,
    not: `degil, yok, hic`,
  },
};

type Kind = keyof ClaimWords;
let lexicon: LexiconIndex<AbuseLanguage, Kind> | undefined;

const explanations = {
  gain: "Nobody can guarantee profits, or money without risk. Say what is likely, and what may be lost.",
  cure: "This promises to cure an illness. Say what is proven, or leave it out.",
  weight: "Nobody can promise such a result. Say what is likely.",
  prize: "This reads like an invented prize. Name the draw and its terms, or leave it out.",
  whole: "Nobody can promise this to everybody. Say what is likely, and under which conditions.",
} as const;

/** Promises in a text, all of them warnings. */
export function* claimsIn({ visible, words: all }: TextViews): Generator<Place> {
  const { text } = visible;
  lexicon ??= new LexiconIndex(lexicons);
  const bit = (kind: Kind) => lexicon?.bit(kind) ?? 0;
  for (const { words } of sentencesOf(text, all)) {
    for (const own of lexicon.marks(words, bit("not")).values()) {
      const places = (kind: Kind) => own.flatMap((bits, at) => (bits & bit(kind) ? [at] : []));
      const pair = (a: Kind, b: Kind, reach: number): [number, number] | undefined => {
        for (const at of places(a)) {
          const other = places(b).find((place) => place !== at && Math.abs(place - at) <= reach);
          if (other === undefined) continue;
          let last = Math.max(at, other);
          while ((own[last + 1] ?? 0) & (bit(a) | bit(b))) last += 1;
          return [Math.min(at, other), last];
        }
        return undefined;
      };
      const single = (kind: Kind): [number, number] | undefined => {
        const found = places(kind);
        const [first] = found;
        if (first === undefined) return undefined;
        let last = first;
        while (found.includes(last + 1)) last += 1;
        return [first, last];
      };
      const weight = pair("lose", "weight", 5);
      const claims: [keyof typeof explanations, [number, number] | undefined][] = [
        ["whole", single("whole")],
        ["gain", pair("sure", "gain", 4) ?? pair("safe", "money", 10)],
        ["cure", pair("cure", "illness", 5) ?? single("miracle")],
        [
          "weight",
          weight && places("fast").length > 0 && words.some(({ exact }) => /^\d/.test(exact))
            ? weight
            : undefined,
        ],
        ["prize", pair("won", "prize", 14)],
      ];
      for (const [why, found] of claims) {
        const [from, to] = found ?? [];
        const first = words[from ?? -1];
        const last = words[to ?? -1];
        if (!first || !last || from === undefined || to === undefined) continue;
        // "We cannot guarantee returns", "no cure for cancer".
        if (own.slice(Math.max(0, from - 3), to).some((bits) => bits & bit("not"))) continue;
        yield {
          category: "non_compliant_claim",
          severity: "warn",
          explanation: explanations[why],
          ...visible.sourceOf(first.start, last.end),
        };
      }
    }
  }
}
