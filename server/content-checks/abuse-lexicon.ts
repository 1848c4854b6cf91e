/**
 * Words from which statements against people are made, by language; folded as fold() of abuse.ts does, a `*` stands for
 * any ending. What makes abuse of them is their combination in one sentence.
 */
import type { AbuseLanguage } from "./abuse-words.ts";

export interface Lexicon {
  /** People whom hate is aimed at. */
  group: string;
  they: string;
  you: string;
  hate: string;
  /** Contempt wherever it stands beside people. */
  scorn: string;
  /** Contempt only when it is said of them: "are dirty", not "a dirty floor". */
  fault: string;
  /** What they are called: "are a cancer", not "cancer in women". */
  figure: string;
  /** Said of somebody with "you". */
  insult: string;
  is: string;
  violence: string;
  /** Violence that somebody announces or calls for in one word: "I will kill", "death to". */
  vow: string;
  /** Will, duty or desert: with violence a threat or a call for it. */
  intent: string;
  /** What belongs to everybody, and is denied with a negation. */
  right: string;
  not: string;
  /** Who speaks against hate quotes it. */
  counter: string;
  /** Whole threats and curses, to anybody. */
  threat: string;
  /** The reader as one of many: "people like you". */
  alike: string;
  /** Violence done to somebody, which with `intent` is wished on those. */
  harmed: string;
}

/** Phrases of each of the first with each of the second. */
const each = (first: readonly string[], second: readonly string[]): string =>
  first.flatMap((before) => second.map((after) => `${before} ${after}`)).join(", ");

/**
 * Threats in which somebody says what they do to the reader: in the first persons and times in which people threaten, with
 * each word for "you".
 */
const threatsToYou: Record<AbuseLanguage, string> = {
  en: each(
    ["i will", "we will", "ill", "gonna", "going to"],
    ["kill you", "destroy you", "hurt you", "smash your face", "burn your", "make you suffer", "end you"],
  ),
  de: each(
    ["mach", "mache", "machen wir", "machen", "mach ich", "mache ich"],
    ["dich fertig", "dich kalt", "dich platt", "euch fertig", "euch kalt", "euch platt"],
  )
    .concat(", ", each(["bring", "bringe", "bringen", "bringen wir", "bring ich"], ["dich um", "euch um"]))
    .concat(
      ", ",
      each(
        ["schlag", "schlage", "schlagen", "schlagen wir", "schlag ich"],
        ["dich zusammen", "dich tot", "dir die", "dich krankenhausreif", "euch zusammen", "euch tot"],
      ),
    )
    .concat(", ", each(["stech", "stechen", "knall", "knallen", "knallen wir"], ["dich ab", "euch ab"]))
    .concat(", ", each(["brechen", "brechen wir", "brech", "breche"], ["dir die", "dir alle", "euch die"])),
  es: each(
    ["te", "os"],
    [
      "mato",
      "matamos",
      "matare",
      "mataremos",
      "rompo la cara",
      "rompo las piernas",
      "rompemos la cara",
      "rompemos las piernas",
      "partimos la cara",
      "partimos las piernas",
      "partiremos la cara",
      "partire la cara",
      "voy a romper la",
      "voy a romper las",
      "vamos a romper la",
      "vamos a romper las",
      "voy a matar",
      "vamos a matar",
      "voy a destrozar",
      "vamos a destrozar",
      "reviento",
      "reventamos",
    ],
  ),
  fr: each(
    ["vais te", "va te", "vais vous", "va vous", "allons te", "allons vous", "je te", "on te", "je vous"],
    [
      "tuer",
      "tue",
      "buter",
      "bute",
      "crever",
      "creve",
      "defoncer",
      "defonce",
      "massacrer",
      "massacre",
      "egorger",
      "egorge",
      "demolir",
      "casser la gueule",
      "casser les jambes",
      "casse la gueule",
      "casse les jambes",
      "peter la gueule",
      "briser les",
    ],
  ),
  it: each(
    ["ti", "vi"],
    [
      "ammazzo",
      "ammazziamo",
      "ammazzero",
      "ammazzeremo",
      "uccido",
      "uccidiamo",
      "uccidero",
      "uccideremo",
      "spacco la faccia",
      "spacchiamo la faccia",
      "spacchero la faccia",
      "spaccheremo la faccia",
      "spezzo le gambe",
      "spezziamo le gambe",
      "spezzero le gambe",
      "spezzeremo le gambe",
      "faccio a pezzi",
      "facciamo a pezzi",
      "faremo a pezzi",
      "accoltello",
      "accoltelliamo",
      "massacro",
      "massacriamo",
      "rompiamo le ossa",
      "romperemo le ossa",
    ],
  ),
  nl: each(
    ["maak", "maken", "maken we", "maken wij", "maak ik"],
    each(["je", "jou", "jullie", "u"], ["kapot", "dood", "af"]).split(", "),
  )
    .concat(
      ", ",
      each(
        ["sla", "slaan", "slaan we", "slaan wij", "sla ik"],
        each(["je", "jou", "jullie", "u"], ["in elkaar", "dood", "verrot", "kapot"]).split(", "),
      ),
    )
    .concat(", ", each(["vermoord", "vermoorden", "vermoorden we", "vermoord ik"], ["je", "jou", "jullie"]))
    .concat(
      ", ",
      each(
        ["schiet", "schieten", "steek", "steken", "schieten we", "steken we"],
        ["je neer", "jou neer", "jullie neer"],
      ),
    )
    .concat(
      ", ",
      each(["breek", "breken", "breken we"], ["je benen", "je botten", "je nek", "jullie benen"]),
    ),
  pl: each(
    [
      "zabije",
      "zabijemy",
      "zniszcze",
      "zniszczymy",
      "zatluke",
      "zatluczemy",
      "rozwale",
      "rozwalimy",
      "potne",
    ],
    ["cie", "was"],
  )
    .concat(
      ", ",
      each(
        ["cie", "was"],
        ["zabije", "zabijemy", "zniszcze", "zniszczymy", "zatluke", "zatluczemy", "rozwale", "rozwalimy"],
      ),
    )
    .concat(", ", each(["polamie", "polamiemy", "obije", "obijemy"], ["ci", "wam"])),
  pt: each(
    ["vou te", "vamos te", "vou", "vamos"],
    [
      "matar voce",
      "matar te",
      "matar",
      "arrebentar",
      "arrebentar te",
      "quebrar a cara",
      "partir te a cara",
      "espancar",
      "espancar te",
      "encher de porrada",
    ],
  )
    .split(", ")
    // "Vamos matar a sede" is said of thirst.
    .filter((phrase) => / (?:te|voce)(?: |$)/.test(phrase))
    .join(", ")
    .concat(
      ", ",
      each(["te"], ["mato", "matamos", "mataremos", "parto a cara", "partimos a cara", "arrebento"]),
    ),
  tr: each(
    ["seni", "sizi"],
    [
      "oldururum",
      "oldururuz",
      "oldurecegim",
      "oldurecegiz",
      "gebertirim",
      "gebertiriz",
      "gebertecegim",
      "gebertecegiz",
      "mahvederim",
      "mahvederiz",
      "mahvedecegim",
      "mahvedecegiz",
      "doverim",
      "doveriz",
      "dovecegim",
      "vururum",
      "vururuz",
      "vuracagim",
      "bicaklarim",
      "bicaklariz",
      "parcalarim",
      "parcalariz",
      "yakarim",
      "yakariz",
    ],
  ),
};

/** The reader's death foretold, singular and plural, and harm to what is theirs. */
const foretold: Record<AbuseLanguage, string> = {
  en: `${each(["smash", "break", "burn", "wreck", "trash", "torch"], each(["your"], ["face", "windows", "car", "house", "home", "head", "teeth", "kneecaps", "legs", "arms", "fingers", "shop"]).split(", "))}, you are going to die, you gonna die, youre going to die, youre dead`,
  de: `${each(["du wirst", "ihr werdet", "sie werden"], ["verrecken", "krepieren", "draufgehen"])}, du wirst sterben, ihr werdet sterben, verreck`,
  es: `vas a morir, vais a morir, van a morir ustedes, moriras, morireis, ojala os murais`,
  fr: `tu vas crever, vous allez crever, tu creveras, vous creverez, tu vas y passer, vous allez y passer`,
  it: `creperai, creperete, morirai, morirete, devi crepare, dovete crepare, crepa`,
  nl: `je gaat dood, jullie gaan dood, je gaat eraan, jullie gaan eraan, ga je dood maken, crepeer`,
  pl: `umrzesz, umrzecie, zdechniesz, zdechniecie, zginiesz, zginiecie`,
  pt: `vais morrer, vai morrer, vao morrer todos, morreras, hao de morrer`,
  tr: `gebereceksin, gebereceksiniz, oleceksin, oleceksiniz, geber`,
};

const written: Record<AbuseLanguage, Lexicon> = {
  en: {
    group: `women, woman, females, girls, feminists, trans, transgender*, transsexual*, transvestite*, gay, gays, homosexual*, lesbian*, queer*, bisexual*,
      black people, black person, black men, black women, black folks, blacks, people of color, africans, african americans, asians, mexicans, latinos, hispanics,
      disabled, handicapped, people with disabilities, deaf people, blind people, autistic*, muslim*, moslem*, islam, jew, jews, jewish, hindus, sikhs, catholics,
      immigrant*, migrant*, refugee*, foreigners, asylum seekers, gypsies, gypsy, travellers, roma, arabs, indians, pakistanis, turks, romanians, minorities, fat people, old people, female, womens`,
    they: `they, them, theyre, those people, these people, their kind, her, him, she, he`,
    you: `you, youre, your, yourself, u`,
    hate: `hate, hates, hating, hated, despise*, detest*, loathe*, loathing, abhor*, cant stand, cannot stand, can not stand, disgust me, disgusts me, disgust us, disgusted, disgust,
      make me sick, makes me sick, make me puke, make me vomit, sick of, fed up with, resent, repulsed, dont want to live, cant bear, disdain*, hatred, contempt*, scorn, rage, furious, makes me angry, make me angry, makes me so angry, make me so angry, boil with anger, the worst, absolute worst, nothing worse, worse than, sickening, sickened, rather die than, rather have cancer, hated, like less than`,
    scorn: `scum*, vermin, cockroach*, parasite*, maggot*, subhuman*, sub human, untermenschen, savages, filth, filthy, abomination*, degenerate*, disgusting, disgrace, revolting, repulsive, vile, repugnant,
      inferior, worthless, less than human, waste of space, waste of oxygen, waste of air, freaks, morons, imbeciles, retards, plague, scourge, lowlife*, burn in hell, rot in hell, whores, sluts, barbarians, barbaric, pest, pests, leeches, perverts, perverted, no place in, no place`,
    fault: `dirty, evil, stupid, dumb, ugly, smelly, lazy, primitive, uncivilised, uncivilized, backward, useless, pathetic, immoral, unnatural, sinful, dangerous, retarded, crazy, insane, toxic, mentally ill, violent, liars, idiots, idiotic, weak, hideous, horrible, horrid, awful, terrible, gross, nasty, dim, dumber, shit, crap, bitches, corrupt*, dishonest, despicable, cruel, ignorant, brainless, dumbest, stupidest, sickening, mindless, subnormal, cowardly, untrustworthy, scum`,
    figure: `animals, animal, beasts, monkeys, apes, pigs, pig, rats, rat, dogs, disease, cancer, virus, trash, garbage, dirt, rubbish, refuse, waste, criminals, terrorists, rapists, thieves, murderers, pedophiles, paedophiles, monsters, burden, problem, threat, danger, joke, mistake, objects, property, swarm*, infest*, lesser beings, worth nothing, nothing, zoo, creatures, demons, devils, sickness, stain, poison, sick`,
    insult: `idiot*, moron*, imbecile*, loser*, scum*, pathetic, stupid, dumb, useless, worthless, ugly, disgusting, fool, fools, liar, trash, garbage, pig, pigs, parasite*, vermin, dumbo, dimwit*, halfwit*, nitwit*, cretin*, coward*, disgrace, filth, filthy, retard*, brainless, fatso, waste of space, waste of oxygen, piece of shit, piece of trash, piece of garbage, subhuman*`,
    is: `are, is, theyre, youre, being, as, like, am, were, was, be, basically, called, nothing but, no one else, no better than, nothing more than, cant stop themselves, cant help, can be, to be, typical, always, belong in, belong to, only`,
    violence: `kill*, murder*, exterminat*, eradicat*, annihilat*, eliminat*, wipe out, wiped out, wiped off, get rid of, rid of, burn, burned, burnt, burning, hang, hanged, hung, shoot, shot, gas, gassed, stab*, beat, beaten, rape*, attack*, hurt, harm*, punish*, tortur*, deport*, sterili*, castrat*, lynch*, behead*, slaughter*, blow up, bomb*, drown*, stoned, strangl*, smash*, punch*, slap*,
      die, dead, perish, suffer, hell, locked up, lock up, go back, go home, send back, sent back, kick out, kicked out, throw out, thrown out, expel*, banned, removed, disappear, extinct, destroy*, decimat*, cleansed, sent to, put down, culled, jailed, imprisoned, whipped, choke*, choking, crippled, shut up, end every, cages, ruin*, no place, landfill, dumped, tested on, experiments, vet, kill myself`,
    vow: `death to, put an end to, better off without, world without, burned at the stake, at the stake, lets kill, kill all, kill every, executed, throats cut, execution is the only, deserve to suffer, deserve to die, deserve death, gas the, hang the, shoot the, exterminate, eradicate`,
    intent: `i, ill, im, we, lets, should, must, deserve*, need, needs, ought, gonna, going, will, all, every, someone, somebody, please, cant wait, want, wish, hope, better, best, time to, let, if only, only, kinds of, supposed`,
    right: `deserve*, human*, people, equal*, rights, belong*, welcome, value*, trust*, worth, respect*, live, exist, civili*, contribut*, smart, intelligent, normal, real, brought, born, vote, freedom, privileges, allowed, place, care, human beings`,
    not: `not, no, never, dont, arent, isnt, doesnt, cant, cannot, nobody, wont, shouldnt, none, without, didnt, neither, nor`,
    counter: `wrong, unacceptable, racist*, racism, sexist*, sexism, homophob*, hate speech, discriminat*, how dare, stop saying, saying, say, says, never said, disagree*, never support, not allow, opposite of, tolerate, condemn*, false, untrue, stereotyp*, offensive, insulting, quote*, bigot*, xenophob*, islamophob*, antisemit*, disgusting thing to say, prejudice*`,
    threat: `kill yourself, kill you, hurt you, beat you up, break your legs, break your bones, break your neck, burn your house, hope you die, drop dead, go die, you will die, you should die, you deserve to die, i will find you, we will find you, cut your throat, slit your throat, shoot you, stab you, rape you, hang yourself, put a bullet, know where you live, choke on it, rot in hell, burn in hell`,
    alike: `people like you, people of your kind, your kind, your sort, scum like you, trash like you, men like you, women like you, the likes of you`,
    harmed: `killed, shot, hanged, hung, gassed, beaten, stabbed, burned, burnt, exterminated, lynched, executed, slaughtered, drowned, put down, put to sleep, strangled, whipped, wiped out, eradicated, eliminated`,
  },
  de: {
    group: `frau, frauen, weiber, madchen, feminist*, trans, transmensch*, transfrau*, transperson*, transmann*, transsexuell*, transgender*, schwul*, lesb*, homosexuell*, homos, queer*, bisexuell*, schwarze, schwarzen, schwarzer, farbige*, afrikan*, asiat*, dunkelhautig*,
      behindert*, behinderten, behinderung, autist*, rollstuhlfahrer*, muslim*, moslem*, islam, jude, juden, judisch*, judinn*, hindus, christen, einwander*, zuwander*, migrant*, immigrant*, fluchtling*, gefluchtet*, auslander*, asylant*, asylbewerber*, roma, sinti, zigeuner*, araber*, turken, polen, rumanen, chinesen, inder, minderheit*, frauen, judin, juedinnen`,
    they: `sie, ihnen, diese, dieses, die, solche, denen`,
    you: `du, dich, dir, dein, deine, deiner, ihr, euch, sie, ihnen, ihre`,
    hate: `hasse, hassen, hasst, hass, gehasst, verachte*, verabscheu*, nicht ausstehen, nicht leiden, nicht ertragen, kotzen mich an, kotzt mich an, zum kotzen, widern mich an, widert mich an, anwidern, anwidert, ekle*, ekel*, ekeln, machen mich krank, macht mich krank, satt, zuwider, verachtung, abscheu, hass, wut, wutend, weissglut, die schlimmsten, schlimmsten, schlimmeres, schlimmer als, kotzen, satt, angewidert, krank, ekel, lieber sterben`,
    scorn: `abschaum*, ungeziefer, kakerlak*, parasit*, maden, untermensch*, unmensch*, wilde, dreckig*, drecks*, dreck, gesindel, pack, gesocks, widerlich*, ekelhaft*, ekelerregend*, abstossend*, abartig*, minderwertig*, wertlos*, schmarotzer*, seuche, plage, geschwur, krebsgeschwur, missgeburt*, pervers*, schande, entartet*, mull, abfall, schadling*, schlampen, huren, barbar*, verabscheuungswurdig*, unwurdig*, bestien, keine richtigen menschen, drecksschwein*, drecksack*, drecksacke`,
    fault: `kriminell*, bose, dumm*, bescheuert, blod*, hasslich*, stinken, stinkend*, faul*, primitiv*, unzivilisiert*, ruckstandig*, nutzlos*, erbarmlich*, unnaturlich*, sundig*, gefahrlich*, verruckt*, geisteskrank*, gestort*, lugner, idioten, schwach*, schlecht*, furchtbar*, schrecklich*, grauenhaft*, schmutzig*, wahnsinnig, scheisse, unfahig*, ubel*, boshaft*, korrupt*, gewalttatig*, erbarmlich, unehrlich*, verachtenswert*, grausam*, brutal*, ignorant*, hirnlos*, dummste*, blodeste*, niedertrachtig*, feige, keine richtigen menschen`,
    figure: `tiere, tier, affen, schweine, ratten, hunde, krankheit, krebs, virus, seuche, verbrecher*, terrorist*, vergewaltiger, diebe, morder, kinderschander, monster, last, belastung, bedrohung, gefahr, witz, objekte, eigentum, platzverschwendung, verschwendung, schwarm*, zoo, tierarzt, mulldeponie, krank, fehler, gift, kreaturen, insekt*`,
    insult: `idiot*, trottel*, vollidiot*, depp*, dummkopf*, blodmann, versager*, loser*, abschaum, schwachkopf*, hohlkopf*, schwein, schweine, dreckschwein*, parasit*, feigling*, lugner*, missgeburt*, dumm, bescheuert, erbarmlich*, wertlos*, nichtsnutz*, vollpfosten, spinner, blode, bloder, hasslich, penner, zuruckgeblieben, dullis, pfeife, esel, kretin*`,
    is: `sind, ist, bist, seid, wie, als, waren, war, sein, gehoren, eigentlich, alles, lauter, nichts als, nichts anderes als, nicht besser als, nichts besseres als, niemand sonst, nur, typisch, immer, ohne zweifel, nicht davon abhalten, gehoren in`,
    violence: `tot, toten, getotet, umbringen, umgebracht, ermord*, mord, ausrott*, ausgerottet, vernicht*, ausgeloscht, ausloschen, eliminier*, beseitig*, verbrenn*, verbrannt, brennen, erhang*, aufhang*, aufgehangt, hangen, erschiess*, erschossen, abknallen, abgeknallt, vergas*, erstech*, abstech*, abgestochen, verprugel*, verpruegel*, schlagen, geschlagen, zusammenschlag*, vergewaltig*, angreif*, angegriffen, verletz*, bestraf*, folter*, gefoltert, abschieb*, abgeschoben, sterilisier*, kastrier*, lynch*, gelyncht, kopf*, enthaupt*, abschlacht*, abgeschlachtet, sprengen, ertranken, gesteinigt, steinigen, erwurg*, sterben, verrecken, krepieren, tod, holle, einsperr*, eingesperrt, wegsperr*, weggesperrt, raus, rauswerf*, rausgeworfen, rausschmeiss*, zuruckgeh*, zuruckschick*, verschwinden, wehtun, zerstor*, einschlafern, eingeschlafert, weh, leiden, kafig*, ruinier*, keinen platz, nichts verloren, entsorg*, mullkippe`,
    vow: `tod allen, tod den, tod fur, ende setzen, um die ecke bringen, ohne solche, scheiterhaufen, todesstrafe, hingerichtet, hinrichten, genick, kehle, kehlen, loswerden, abschlachten, abstechen, vergasen, ausrotten, erdrosseln, ertranken, qualen, foltern, erhangen, umlegen, kaltmachen, den tod, welt eine bessere, welt besser, steinigen, kopfen, massakrieren, lebendig verbrennen`,
    intent: `ich, wir, man, sollte*, sollen, muss, mussen, musste*, verdien*, werde, werden, gehort, gehoren, alle, jeder, jede, jeden, jemand, bitte, hoffentlich, wunsch*, will, wollen, zeit, konnt*, lasst, darf`,
    right: `verdien*, mensch*, gleich*, rechte, recht, gehoren, willkommen, wert, vertrauen, trauen, respekt*, leben, existieren, zivilisiert*, beigetragen, klug, intelligent, normal, wahlen, freiheit, platz, ernst, wort, menschen, platz`,
    not: `nicht, kein, keine, keinen, keinem, keiner, keinerlei, nie, niemals, niemand, nichts, ohne, weder`,
    counter: `falsch, inakzeptabel, rassis*, sexis*, homophob*, diskriminier*, sagen, sagt, sagst, gesagt, behaupte*, behauptung, verurteil*, unwahr, klischee*, beleidigend*, zitat, fremdenfeindlich*, islamophob*, antisemit*, schlimm zu, vorurteil*, aussage, hor auf, hort auf`,
    threat: `bring dich um, bringe dich um, bringen dich um, bring dich doch um, mach dich kalt, schlag dich tot, schlage dich zusammen, brech dir die, breche dir die, brechen dir die, knall dich ab, steche dich ab, stech dich ab, geh sterben, wissen wo du wohnst, weiss wo du wohnst, wissen wo sie wohnen, erhang dich, du wirst sterben, hoffentlich stirbst du, tut es richtig weh, dann setzt es was, die fresse polieren, auf die fresse`,
    alike: `leute wie du, leute wie sie, leute wie ihr, leute wie euch, leute wie dich, menschen wie du, menschen wie dich, solche wie du, solche wie dich, typen wie du, abschaum wie du, deinesgleichen, euresgleichen`,
    harmed: `getotet, erschossen, erhangt, aufgehangt, gehangt, vergast, verprugelt, erschlagen, abgestochen, verbrannt, hingerichtet, ausgerottet, ausgeloscht, umgebracht, eingeschlafert, totgeschlagen, ertrankt, vernichtet`,
  },
  es: {
    group: `mujer, mujeres, chicas, hembras, feministas, trans, transexual*, transgenero*, travestis, gay, gays, homosexual*, lesbiana*, bisexual*, queer*, negros, negras, gente negra, personas negras, africanos, africanas, asiaticos, indigenas, indios, discapacitad*, minusvalid*, personas con discapacidad, autistas, musulman*, islam, moros, judio, judios, judia, judias, hindues, cristianos, catolicos, inmigrante*, migrante*, refugiad*, extranjeros, gitanos, gitanas, arabes, latinos, mexicanos, chinos, turcos, rumanos, minorias, mujeres`,
    they: `ellos, ellas, los, las, esa gente, esos, esas, les`,
    you: `tu, te, ti, eres, vosotros, usted, ustedes, sois, sos, vos, su, vuestr*, tus, vosotras`,
    hate: `odio, odiamos, odia, odian, odiar, detesto, detesta*, desprecio, despreci*, aborrec*, no soporto, no aguanto, no puedo soportar, me dan asco, me da asco, nos dan asco, dan asco, asquean, repugnan, me enferman, me ponen enferm*, harto, hartos, vomitar, rabia, desprecio, desden, odio, rabia, ira, furioso, furiosa, enoja, enojan, los peores, las peores, lo peor, nada peor, peor que, asqueado, asqueada, enferman, hartos, harta, colera`,
    scorn: `escoria*, alimana*, cucaracha*, parasit*, gusano*, subhuman*, infrahuman*, inhumano*, salvajes, basura, inmundic*, asquerosos, asquerosas, asqueroso, asquerosa, repugnante*, repulsiv*, inferiores, inferior, degenerad*, abominacion*, despreciable*, plaga*, peste, lacra, pervertid*, sabandija*, chusma, putas, barbaros, barbaras, aberracion*, engendro*, desecho*, indeseables, no tienen lugar`,
    fault: `malvad*, malos, malas, estupid*, tont*, idiotas, imbeciles, feos, feas, apestan, apestos*, vagos, vagas, perezos*, primitiv*, incivilizad*, atrasad*, inutil*, patetic*, antinatural*, pecador*, peligros*, loc*s, mentiros*, debiles, horribles, sucios, sucias, mierda, corrupt*, violent*, inferiores, deshonest*, falsos, falsas, viles, crueles, ignorantes, descerebrad*, despreciable*, cobardes, brut*, inmund*, no valen nada, no vale nada`,
    figure: `animales, bestias, monos, cerdos, cerdas, ratas, perros, enfermedad, cancer, virus, criminales, delincuentes, terroristas, violadores, ladrones, asesinos, pedofilos, monstruos, carga, amenaza, peligro, broma, objetos, propiedad, error, diablo, demonio*, desperdicio, mugre, porqueria, enjambre*, infest*, zoologico, veneno, criaturas, enferm*`,
    insult: `ratas, rata asquerosa, basuras, gentuza, escoria*, idiota*, imbecil*, estupid*, inutil*, cretin*, tont*, payas*, escoria, basura, cerdo, cerda, rata, parasito*, cobarde*, mentiros*, perdedor*, fracasad*, patetic*, tarad*, subnormal*, zopenc*, bobo, boba, asqueros*, feo, fea, miserable, desgraciad*, animal, burro, burra, analfabet*`,
    is: `son, es, eres, sois, como, estan, esta, ser, siendo, fueron, parecen, somos, era, eran, una, un, unas, unos, no son mas que, no es mas que, no eres mas que, no son mejores que, nadie es mas, no pueden evitar, solo, tipico, siempre, sin duda, nada mas que`,
    violence: `mat*, asesin*, extermin*, erradic*, aniquil*, elimin*, acabar con, deshacer*, librar*, quem*, ahorc*, colg*, dispar*, fusil*, gase*, apunal*, golpe*, pegar, paliz*, viol*, atac*, lastim*, herir, castig*, tortur*, deport*, esteriliz*, castr*, linch*, decapit*, degoll*, bombarde*, ahog*, lapid*, estrangul*, morir, muer*, muert*, infierno, encerr*, encarcel*, fuera, expuls*, echar*, vuelv*, volver, volvieran, regres*, desaparec*, destru*, sufr*, larguen, vayan, jaulas, arruin*, vertedero, tirad*`,
    vow: `muerte a, acabar con, acabemos con, mundo sin, hoguera, ejecucion, ejecut*, matare, matarlos, matarlas, matemos, apunalare, violare, torturare*, masacr*, exterminemos, degollare, cortar*, cuello, garganta, gargantas, ahorcar*, ahorquemos, quemarl*, estrangul*, eliminar a, librarnos de, deshacernos de, deshagamonos de, pena de muerte, condenados a muerte, erradiqu*, fusilar*`,
    intent: `yo, vamos, deberia*, debe*, hay que, tiene que, tienen que, merece*, voy, quiero, queremos, ojala, todos, todas, cada, alguien, necesit*, espero, ganas, hora, que, podria*, habria`,
    right: `merece*, humanos, humanas, personas, gente, iguales, derecho*, pertenece*, bienvenid*, valor, confi*, respet*, vivir, existir, civilizad*, aport*, inteligentes, normales, votar, libertad, palabra, lugar, sitio`,
    not: `no, nunca, jamas, ningun, ninguna, nadie, nada, sin, tampoco, ni`,
    counter: `mal, incorrecto, inaceptable, racis*, machis*, sexis*, homofob*, discrimin*, decir, dice, dicen, diga*, dijo, condeno, falso, estereotip*, ofensiv*, xenofob*, islamofob*, antisemit*, prejuici*, basta de, deja de, frase, afirmar, comentario*`,
    threat: `te voy a matar, os voy a matar, te mato, te matare, ojala te mueras, te voy a pegar, te rompo la cara, te partire, te voy a partir, te vamos a encontrar, sabemos donde vives, se donde vives, te vas a morir, te vamos a matar, te romperemos las piernas, romperte las piernas, vas a sufrir`,
    alike: `gente como tu, gente como vosotros, gente como usted, personas como tu, los de tu clase, los tuyos, los como tu, escoria como tu, basura como tu`,
    harmed: `matados, matar, fusilados, fusilar, ahorcados, ahorcar, colgados, quemados, quemar, exterminados, exterminar, ejecutados, gaseados, apaleados, sacrificados, eliminados, muertos`,
  },
  fr: {
    group: `femme, femmes, filles, gonzesses, feministes, trans, transgenre*, transsexuel*, travestis, gay, gays, homosexuel*, homos, lesbienne*, bisexuel*, queer*, noirs, noires, les noirs, personnes noires, africains, africaines, asiatiques, handicape*, personnes handicapees, autistes, musulman*, islam, juif, juifs, juive, juives, hindous, chretiens, catholiques, immigre*, migrant*, refugie*, etrangers, gitans, roms, tziganes, arabe, arabes, maghrebins, indiens, chinois, turcs, roumains, minorites, femmes`,
    they: `ils, elles, les, eux, ces gens, ceux, leur, cette race`,
    you: `tu, te, toi, vous, ton, ta, es, etes`,
    hate: `hais, haissons, hait, haine, hair, deteste*, detestons, meprise*, execre*, abhorre*, supporte pas, supporte plus, peux pas supporter, peux plus supporter, peux pas blairer, peux pas sentir, peux pas saquer, degoutent, degoute, me repugnent, repugnent, me donnent envie de vomir, envie de vomir, rendent malade, me rendent malade, marre, ecoeurent, gerber, horreur, mepris, dedain, haine, rage, furieux, furieuse, colere, hors de moi, bouillir, les pires, pire qu, plus horrible, degoute*, nausee, aversion, ras le bol, horripile*, aucun respect`,
    scorn: `racaille*, vermine*, cafard*, parasite*, asticots, sous homme*, sous hommes, sauvages, ordure*, immonde*, degoutant*, repugnant*, repoussant*, infect*, inferieur*, degenere*, abomination*, meprisable*, fleau, peste, pervers*, detritus, salopes, putes, barbares, aberration*, dechet*, nuisible*, pourriture*, ignoble*, abject*, raclure*, cloporte*, n ont pas leur place`,
    fault: `mauvais*, mechant*, stupide*, bete, idiot*, imbeciles, cons, connes, moche*, laid*, puent, puant*, sale, sales, paresseu*, faineant*, primiti*, arriere*, inutile*, pathetique*, contre nature, dangereu*, fous, folles, menteu*, faible*, horrible*, affreu*, merde, merdes, diabolique*, violent*, corrompu*, nul, nuls, nulles, malhonnete*, vils, viles, cruel*, ignoran*, sans cervelle, crasseu*, degueulasse*, pitoyable*, revolta*, ecoeura*, ecœura*, sauvages, sans valeur, ne valent rien, debile*, abruti*`,
    figure: `animaux, betes, singes, porcs, cochons, rats, chiens, maladie, cancer, virus, criminels, delinquants, terroristes, violeurs, voleurs, assassins, meurtriers, pedophiles, monstres, fardeau, menace, danger, blague, objets, propriete, diable, erreur*, gaspillage, perte, essaim*, infest*, invasion*, colonis*, zoo, zoos, veterinaire, decharge, poison, malade*, irrecuperables`,
    insult: `idiot*, imbecile*, cretin*, stupide*, abruti*, debile*, minable*, rate, ratee, ordure, dechet, porc, parasite*, lache, menteur*, menteuse*, pathetique*, bouffon*, andouille*, moche, laid, nul, nulle, gros porc, grosse vache, sous merde, vermine, racaille, incapable*`,
    is: `sont, est, es, etes, comme, etre, etaient, etait, sommes, une, un, des, de, bande, ne sont que, ne sont rien d autre que, n etes rien d autre que, ne valent pas mieux, n est qu, ne peuvent s empecher, nul n est, nulle n est, personne d autre n est, typique, toujours, seuls, seules, tout simplement, sans exception, sans aucun doute, sans valeur, sans cervelle`,
    violence: `tue*, tuons, assassin*, extermin*, eradiqu*, aneanti*, elimin*, debarrass*, brul*, pend*, pendu*, fusill*, abatt*, gaz*, poignard*, frapp*, tabass*, batt*, viol*, attaqu*, bless*, puni*, tortur*, expuls*, sterilis*, castr*, lynch*, decapit*, egorg*, massacr*, explos*, noy*, lapid*, etrangl*, mourir, meure*, mort*, crever, creve*, enfer, enferm*, emprison*, dehors, degage*, vire*, chass*, rentr*, retourn*, renvoy*, disparai*, detrui*, souffr*, supprim*, casser la gueule, fracass*, cages, ruin*, jet*, decharge, enferme*`,
    vow: `mort aux, mort a, en finir avec, finissons en avec, debarrassons nous, se debarrasser, monde sans, bucher, execut*, execution, peine de mort, tuerai, tuons, poignarderai, violerai, torturer*, massacr*, exterminons, exterminer, egorg*, gorge, gorges, pendre, pendons, bruler, etrangl*, noyer, eradiqu*, fusiller, cou, mettre fin, brulees, abattre, buter`,
    intent: `je, j, nous, on, devrai*, doit, doivent, faut, faudrait, merite*, vais, veux, voudrais, tous, toutes, chaque, quelqu, esper*, envie, laisse*, va, allons, besoin, hate, peuvent, peut`,
    right: `merite*, humain*, humaines, personnes, egaux, egales, egal, droit*, place, bienvenu*, valeur, confiance, respect*, vivre, exister, civilise*, apport*, intelligent*, normaux, voter, liberte, parole, place, mot`,
    not: `pas, ne, n, jamais, aucun, aucune, personne, rien, sans, ni, non`,
    counter: `faux, inacceptable*, racis*, sexis*, homophob*, discrimin*, dire, dit, disent, disait, condamne*, stereotyp*, offensant*, xenophob*, islamophob*, antisemit*, prejuge*, arrete de, arretez de, phrase, propos, insulter, traiter`,
    threat: `vais te tuer, va te tuer, te tuer, te creve, crever la bouche, va crever, creve charogne, va mourir, va te pendre, vais te casser, te casser la gueule, te casser les jambes, te peter la gueule, te buter, te retrouver, on sait ou tu habites, sais ou tu habites, savons ou tu habites, savons ou vous habitez, te faire la peau, te saigner, j espere que tu vas mourir`,
    alike: `les gens comme toi, les gens comme vous, des gens comme toi, des gens comme vous, gens de ton espece, ceux de ton espece, les types comme toi, les comme toi, ton espece, ta race, vermine comme toi`,
    harmed: `tues, tuer, abattus, abattre, pendus, pendre, brules, bruler, extermines, exterminer, executes, fusilles, gazes, egorges, noyes, piques, elimines, euthanasies, crever`,
  },
  it: {
    group: `donna, donne, ragazze, femmine, femministe, trans, transgender*, transessual*, travestiti, gay, omosessual*, lesbic*, bisessual*, queer*, neri, nere, persone nere, persone di colore, africani, africane, asiatici, asiatiche, disabil*, disabili, handicappat*, autistici, musulman*, islam, ebreo, ebrei, ebrea, ebree, indu, cristiani, cattolici, immigrat*, migrant*, rifugiat*, profugh*, stranieri, zingar*, rom, arabi, indiani, cinesi, turchi, rumeni, albanesi, minoranze, extracomunitar*, immigrate, musulmane`,
    they: `loro, li, le, quelli, quelle, questi, queste, essi, quella gente, questa gente`,
    you: `tu, ti, te, sei, voi, vi, siete, lei, vostr*, tuoi, tue`,
    hate: `odio, odiamo, odia, odiano, odiare, detest*, disprezz*, aborr*, non sopporto, non posso sopportare, non tollero, mi fanno schifo, fanno schifo, fa schifo, mi fa schifo, schifo, disgust*, ripugn*, mi danno la nausea, mi fanno vomitare, vomitare, nausea, stufo, stanco, ribrezzo, disprezzo, sdegno, odio, rabbia, furioso, furiosa, arrabbiare, i peggiori, le peggiori, il peggio, niente di peggio, peggio di, disgustato, disgustata, avversione, collera, furia`,
    scorn: `feccia*, parassit*, scarafagg*, vermi, subuman*, selvagg*, spazzatura, lurid*, schifos*, disgustos*, ripugnant*, rivoltant*, inferior*, degenerat*, abomin*, spregevol*, piaga, peste, pervertit*, troie, puttane, barbari, barbare, rifiuti, scarti, immond*, bestie, immondizia, sporc*, indegn*, vomitevol*, rifiuto umano, feti, hanno il cervello fottuto`,
    fault: `malvag*, cattiv*, stupid*, idiot*, brutt*, puzz*, pigr*, primitiv*, incivil*, arretrat*, inutil*, patetic*, innatural*, contro natura, pericolos*, pazz*, bugiard*, debol*, orribil*, merda, violent*, corrott*, cretini, scem*, ignorant*, peggio, disonest*, vili, crudel*, senza cervello, squallid*, spregevol*, codard*, falsi, false, ignobil*, non valgono niente, non valgono nulla, non vale niente`,
    figure: `animali, scimmie, maiali, porci, ratti, topi, cani, malattia, malattie, cancro, virus, criminali, delinquenti, terroristi, stupratori, ladri, assassini, pedofili, mostri, peso, minaccia, pericolo, scherzo, oggetti, proprieta, diavol*, demoni*, error*, spreco, sciam*, infest*, zoo, veleno, creature, malat*`,
    insult: `deficient*, vermi, feccia, rifiuti umani, idiot*, imbecill*, cretin*, stupid*, scemo, scema, deficient*, inutil*, feccia, spazzatura, maiale, porco, verme, parassit*, codard*, bugiard*, perdent*, fallit*, patetic*, pagliacc*, ritardat*, schifos*, brutto, brutta, incapac*, miserabil*, buffon*, asino, somaro, capra, nullita`,
    is: `sono, e, sei, siete, come, essere, erano, era, siamo, sembrano, una, un, dei, delle, degli, fanno, non sono altro che, non sei altro che, non sono meglio di, non siete altro che, nessuno e piu, nessun altro e, non possono fare a meno, solo, tipico, sempre, senza dubbio`,
    violence: `uccid*, ucciso, uccisi, uccise, ammazz*, assassin*, stermin*, eradic*, annient*, elimin*, liberar*, sbarazz*, bruci*, bruciat*, impicc*, spar*, fucil*, gas*, gasat*, accoltell*, picchi*, bastonat*, stupr*, attacc*, ferir*, pun*, tortur*, deport*, espell*, espuls*, sterilizz*, castr*, linci*, decapit*, sgozz*, massacr*, bombard*, anneg*, lapid*, strangol*, morir*, muoi*, mort*, crep*, inferno, rinchius*, rinchiud*, incarcer*, fuori, cacci*, torn*, tornino, rimand*, spar*, scompa*, distrugg*, soffr*, estint*, botte, menar*, gabbie, gabbia, rovin*, discarica, butta*`,
    vow: `morte a, morte ai, morte alle, morte agli, mettere fine, mettiamo fine, metteremo fine, mondo starebbe, mondo senza, rogo, fucilazione, esecuzione, condannat* a morte, giustizi*, uccidero, ammazzero, pugnal*, stuprero, stuprare, tortur*, massacr*, macell*, sgozz*, gola, gole, collo, strangol*, impicc*, anneg*, bruciare, sbarazz*, sradic*, debell*, stermin*, fare del male, far soffrire, soffrire, sparero, attaccare, fanculo`,
    intent: `io, noi, dovrebb*, deve, devono, dovete, bisogna, merit*, voglio, vogliamo, vorrei, tutti, tutte, ogni, qualcuno, spero, voglia, andrebbero, vanno, bisogno, faro, ora di, che`,
    right: `merit*, uman*, persone, ugual*, diritt*, appart*, benvenut*, valore, fid*, rispett*, vivere, esistere, civil*, contribu*, intelligent*, normal*, votare, liberta, posto, parola, posto`,
    not: `non, mai, nessun, nessuno, nessuna, niente, nulla, senza, ne, neanche, nemmeno`,
    counter: `sbagliat*, inaccettabil*, razzis*, sessis*, maschilis*, omofob*, discrimin*, dire, dice, dicono, detto, condann*, falso, stereotip*, offensiv*, xenofob*, islamofob*, antisemit*, pregiudiz*, smett*, frase, affermare, dicendo, affermazion*`,
    threat: `ti ammazzo, ti uccido, ti uccidero, ti ammazzero, devi morire, spero che tu muoia, ti spacco la faccia, ti spezzo le gambe, ti rompo le ossa, ti spezziamo le gambe, sappiamo dove abiti, so dove abiti, ti troveremo, ti faccio fuori, vi ammazzo, ti vengo a cercare`,
    alike: `gente come te, gente come voi, persone come te, quelli come te, quelli come voi, feccia come te, la tua razza, quelli della tua razza`,
    harmed: `uccisi, uccisa, ammazzati, ammazzata, fucilati, fucilata, impiccati, impiccata, bruciati, bruciata, sterminati, sterminata, eliminati, eliminata, giustiziati, gasati, soppressi, soppressa, annegati`,
  },
  nl: {
    group: `vrouw, vrouwen, meisjes, wijven, feministen, trans, transgender*, transsekuel*, transseksuel*, transvrouw*, transpersonen, travestieten, homo, homos, homofielen, homoseksue*, lesbienne*, lesbische, lesbo, lesbos, biseksue*, queer*, zwarte mensen, zwarten, zwarte, zwarte mannen, zwarte vrouwen, donkere mensen, afrikanen, aziaten, gehandicapt*, invalid*, mindervalid*, autist*, moslim*, moslima*, islam, jood, joden, joodse, hindoes, christenen, immigrant*, migrant*, vluchteling*, asielzoeker*, buitenlander*, allochton*, zigeuner*, roma, arabieren, marokkanen, turken, polen, indiers, chinezen, minderheden, vluchtelingen`,
    they: `ze, zij, hen, hun, die, deze, dat soort, dit soort`,
    you: `jij, je, jou, jouw, jullie, u, uw`,
    hate: `haat, haten, hatelijk, gehaat, veracht*, verafschuw*, walg*, walgen, minacht*, kan niet uitstaan, niet uitstaan, niet luchten, niet verdragen, misselijk, ziek van, doodziek, maken me ziek, maakt me ziek, kotsmisselijk, kotsen, beu, spuugzat, zat, hekel, afkeer, minachting, verachting, haat, woede, woedend, razend, boos, de ergste, het ergste, ergste, niets ergers, erger dan, afschuw, walging, zat, afkeer`,
    scorn: `uitschot, tuig, schorem, gespuis, ongedierte, kakkerlak*, parasiet*, parasieten, maden, untermensch*, ondermens*, wilden, smerig*, walgelijk*, weerzinwekkend*, afstotelijk*, minderwaardig*, ontaard*, gedegenereerd*, verachtelijk*, plaag, pest, pervers*, hoeren, sletten, barbaren, barbaars*, afval, vuilnis, vuil, viezerik*, gore, goor, vieze, vies, waardeloos, waardeloze, tyfus*, schande, gedrocht*, abominatie*, onmensen, schandvlek, rotzak*, rotzakken, verdomde, eikels, schoften, pissig van`,
    fault: `kanker, crimineel, slecht*, kwaadaardig*, dom, domme, achterlijk*, stom*, lelijk*, stinken, stinkend*, lui, luie, primitie*, onbeschaafd*, achterlop*, nutteloos, nutteloze, zielig*, onnatuurlijk*, gevaarlijk*, gek*, gestoord*, leugenaars, idioten, zwak*, vreselijk*, verschrikkelijk*, shit, gewelddadig*, corrupt*, inferieur*, oneerlijk*, wreed, wrede, onwetend*, hersenloos, hersenloze, gemeen, gemene, laf, laffe, verachtelijk*, waardeloos, domste, niets waard, niks waard`,
    figure: `dieren, beesten, beest, apen, varkens, zwijnen, ratten, honden, ziekte, virus, criminelen, terroristen, verkrachters, dieven, moordenaars, pedofielen, monsters, last, bedreiging, gevaar, grap, bezit, objecten, voorwerpen, fout, duivel*, verspilling, zwerm*, dierentuin, gif, wezens, ziek*`,
    insult: `mongool, mongolen, mongolo*, idioot, idioten, sukkel*, debiel*, imbeciel*, stommeling*, domkop*, loser*, mislukkeling*, nietsnut*, uitschot, tuig, varken, zwijn, parasiet, lafaard*, leugenaar*, zielig*, waardeloos, dom, lelijk*, achterlijk*, stom, stomme, gek, oen, eikel, rund, mafkees, kneus, randdebiel, klojo, prutser, lapzwans, sufferd`,
    is: `zijn, is, bent, als, net, waren, was, wezen, allemaal, gewoon, lijken, wat, niets anders dan, niets dan, niet meer dan, niet beter dan, niemand anders, kunnen niet stoppen, alleen, typisch, altijd, zonder twijfel, slechts, horen in, hoort in`,
    violence: `dood*, doden, vermoord*, uitroei*, uitgeroeid, vernietig*, elimin*, afmaken, afgemaakt, afslacht*, afgeslacht, verbrand*, branden, opgehangen, ophangen, hangen, neerschiet*, neergeschoten, doodschiet*, vergas*, neersteek*, neersteken, neergestoken, slaan, geslagen, aframm*, afgeranseld, verkracht*, aanval*, aangevallen, pijn doen, straf*, gestraft, martel*, gemarteld, deporteer*, gedeporteerd, uitzetten, uitgezet, sterilis*, gesteriliseerd, castreer*, gecastreerd, lynch*, gelyncht, onthoofd*, opblaz*, opgeblazen, verdrink*, verzuip*, gestenigd, stenigen, wurg*, gewurgd, sterven, creperen, kreperen, hel, opsluit*, opgesloten, eruit, oprotten, oppleuren, terug, teruggestuurd, terugsturen, verdwijnen, kapot*, afknallen, ruimen, lijden, wegwezen, kooi, kooien, ruiner*, vuilnisbelt, gedumpt, stortplaats`,
    vow: `dood aan, een einde maken, einde aan, af van, ontdoen, wereld zonder, beter af zonder, beter af zijn zonder, brandstapel, executie, geexecuteerd, executeren, gedood, doden, vermoorden, neersteken, verkrachten, martelen, afslachten, af te slachten, slachten, keel, kelen, strot, nek, nekken, ophangen, verdrinken, wurgen, uitroeien, doodschieten, de kanker krijgen, de tering krijgen, vergassen, verbranden`,
    intent: `ik, wij, we, men, zou, zouden, moet, moeten, verdien*, ga, gaan, wil, willen, alle, elke, iedere, iemand, hopelijk, hoop, laten, laat, tijd, horen, hoort, mogen, mag, kunnen, kan`,
    right: `verdien*, mens, mensen, menselijk*, gelijk*, recht*, horen, welkom, waarde, vertrouwen, respect*, leven, bestaan, beschaafd*, bijgedragen, slim, intelligent, normaal, stemmen, vrijheid, plek, thuis, woord, plaats`,
    not: `niet, geen, nooit, niemand, niks, niets, zonder, noch`,
    counter: `fout, onacceptabel*, onaanvaardbaar*, racis*, seksis*, homofob*, homofoob, discrimin*, zeggen, zegt, gezegd, zei, veroordeel*, onwaar, stereotyp*, beledigend*, xenofob*, islamofob*, antisemit*, vooroordeel, vooroordelen, uitspraak, opmerking*, beweren, noem`,
    threat: `maak je dood, ik vermoord je, vermoord je, ik maak je af, maak je af, sla je dood, schiet je neer, steek je neer, breek je benen, breken je benen, we weten waar je woont, ik weet waar je woont, pleeg zelfmoord, ga dood, val dood, ik hoop dat je doodgaat, we weten je te vinden, hang jezelf op`,
    alike: `mensen als jij, mensen als jullie, mensen zoals jij, mensen zoals jullie, types als jij, types zoals jij, jouw soort, jullie soort, lui als jij, tuig als jij`,
    harmed: `gedood, vermoord, doodgeschoten, neergeschoten, afgeschoten, opgehangen, vergast, verbrand, afgemaakt, uitgeroeid, geexecuteerd, doodgeslagen, verzopen, ingeslapen, afgeslacht, uitgemoord`,
  },
  pl: {
    group: `kobiet*, kobiety, baby, dziewczyn*, feminist*, trans, transplciow*, transseksual*, transwestyt*, osoby trans, osob trans, gej*, geje, gejow, gejami, homoseksual*, homos*, lesbijk*, lesbijek, biseksual*, queer*, czarn*, czarnoskor*, murzyn*, afrykan*, azjat*, niepelnosprawn*, inwalid*, autyst*, muzulman*, islam*, zyd, zyda, zydzi, zydow, zydami, zydowk*, zydom, hindus*, chrzescijan*, katolik*, imigrant*, migrant*, uchodz*, obcokrajow*, cudzoziem*, cygan*, romow, romowie, arab*, turk*, ukrain*, rumun*, chinczyk*, mniejszosc*, kobietom, kobietami, kobietach`,
    they: `oni, one, ich, im, nich, nimi, ci, te, tych, tacy, takie`,
    you: `ty, ci, cie, ciebie, tobie, jestes, jestescie, twoj*, wy, was, wam, pan, pani`,
    hate: `nienawidz*, nienawisc*, nie znosz*, nie cierpi*, nie moge zniesc, gardz*, pogardz*, brzydz*, obrzydz*, wstret, wstrety, rzygac, wymiotowac, niedobrze, mdlosci, wkurz*, dosc, pogard*, nienawisc*, wscieklosc*, furi*, szalu, zlosc*, zlosci, najgorsi, najgorsze, nic gorszego, gorszego niz, mdlosci, zniesmacz*, odraza*, odrazy, niechec*`,
    scorn: `smiec*, szumowin*, robactw*, karaluch*, pasozyt*, podludz*, nieludz*, dzikus*, plugast*, brudas*, odrazaj*, obrzydliw*, ohydn*, wstretn*, gorsz*, gorszy, gorsi, degenerat*, zwyrodnial*, zboczen*, zboczon*, zaraz*, plag*, obrzydlistw*, dziwki, kurwy, barbarzync*, odpad*, bydl*, scierw*, szkodnik*, holot*, nikczemn*, parszyw*, bezwartosciow*, potwor*, hanb*, nie ma miejsca dla, pojeb*`,
    fault: `swin*, zli, zle, zlo, glup*, brzydk*, smierdz*, leniw*, prymityw*, niecywilizow*, zacofan*, bezuzyteczn*, zalosn*, nienaturaln*, grzeszn*, niebezpieczn*, chory, szalen*, klamc*, idiot*, slab*, okropn*, brudn*, gown*, tepi, tepe, tepak*, debil*, agresywn*, zepsut*, gors*, nieuczciw*, podl*, okrutn*, brutaln*, ignoran*, bezmozg*, najglups*, tchorzliw*, nic nie wart*, nie sa warte, nic warte`,
    figure: `zwierz*, malp*, szczur*, psy, chorob*, rak, rakiem, wirus*, kryminalist*, przestep*, terroryst*, gwalciciel*, zlodziej*, morderc*, pedofil*, ciezar*, zagrozen*, niebezpieczenstw*, zart*, przedmiot*, wlasnosc*, diabl*, bled*, strata miejsca, strata, marnowan*, zoo, weterynarz*, wysypisk*, chmar*, istot*, chorzy, chore, trucizn*`,
    insult: `idiot*, kretyn*, debil*, glup*, glupek, glupku, dure*, durniu, imbecyl*, matol*, smiec*, szmat*, swini*, pasozyt*, tchorz*, klamc*, nieudaczni*, zalosn*, bezwartosciow*, zero, zerem, brzydal*, pajac*, osiol, osle, tuman*, polglow*, przyglup*, frajer*, ofiara losu, gnid*`,
    is: `sa, jest, jestes, jestescie, jak, to, byli, byly, byc, zwykl*, jako, bylo, niczym innym jak, nic innego jak, nikt inny nie jest, nie sa lepsi od, nie sa lepsze od, nie moga sie powstrzymac, tylko, typowe, zawsze, bez watpienia, bez wyjatku, sa niczym`,
    violence: `zabi*, pozabija*, mordow*, wymordow*, zamordow*, ekstermin*, wytepi*, wytepic, zniszcz*, zlikwid*, pozby*, wyelimin*, spali*, palic, plon*, powies*, wiesza*, rozstrzel*, zastrzel*, strzela*, zagaz*, gazow*, gazu, zadzg*, dzga*, pobi*, bic, gwalc*, zgwalc*, zaatak*, skrzywd*, krzywdz*, ukar*, kara*, tortur*, deport*, wysterylizow*, steryliz*, kastrow*, wykastrow*, zlincz*, linczow*, scina*, scieta*, wysadzi*, utopi*, topic, kamieniow*, udusi*, umrze*, umiera*, umrzec, smierc*, smierci, zdech*, zdychac, zginac, gina*, piekl*, zamkn*, wiezien*, wynoch*, wyrzuc*, wypedz*, wracac, wracajcie, wraca*, wynos*, znikn*, cierpi*, wyginac, won, wypad, uspi*, klatk*, zrujn*, wysypisk*`,
    vow: `smierc, skonczyc z, pozbyc sie, pozbadzmy sie, swiat bez, lepszy bez, na stosie, stosie, egzekucj*, stracic ich, zabije, zabijmy, zadzgam, zgwalce, torturow*, wyrzn*, wymordow*, poderzn*, gardla, gardlo, kark, karki, powiesic, wieszac, utopic, udusic, spalic, wytepic, wytepmy, rozstrzelac, zlikwidowac, kara smierci, skrec*`,
    intent: `ja, my, powinn*, trzeba, nalezy, musi, musz*, zasluguj*, zasluz*, bede, bedziemy, chce, chcialbym, chcialabym, wszystk*, wszyscy, kazd*, ktos, mam nadzieje, niech, czas, moga, mozna, lepiej, oby, pora, mam ochote, potrzeb*`,
    right: `zasluguj*, ludz*, ludzmi, czlowiek*, rown*, praw*, miejsc*, mile widzian*, wartosc*, ufac, zaufan*, szacun*, zyc, zycie, zycia, istniec, cywilizow*, wniesl*, wnosz*, inteligentn*, madr*, normaln*, glosowa*, wolnosc*, miejsca, slow*, ufaj`,
    not: `nie, nigdy, zaden, zadna, zadne, zadnych, nikt, nic, bez, ani`,
    counter: `niedopuszczaln*, rasis*, seksis*, homofob*, dyskrymin*, mowic, mowi, mowia, powiedzi*, potepi*, falsz*, stereotyp*, obrazliw*, ksenofob*, islamofob*, antysemi*, uprzedzen*, stwierdzen*, twierdz*, przestan, przestancie, nazywa*`,
    threat: `wal sie, odwal sie, odczep sie, spadaj, frajerze, frajerzy, palancie, matole, cymbale, glabie, lajzo, gnido, smierdzielu, gnoju, zabije cie, zabijemy cie, zajebie cie, zabij sie, idz sie zabij, mam nadzieje ze umrzesz, polamie ci, polamiemy ci, wiemy gdzie mieszkasz, wiem gdzie mieszkasz, znajdziemy cie, znajde cie, powies sie, rozwale ci, obije ci, poderzne ci, pozalujesz tego`,
    alike: `ludzie tacy jak ty, ludzie jak ty, tacy jak ty, takich jak ty, ludzi takich jak ty, tacy jak wy, takich jak wy, twoj rodzaj, smieci jak ty`,
    harmed: `zabici, zabijani, zabijac, zabic, rozstrzelani, rozstrzelac, powieszeni, powiesic, wieszac, spaleni, spalic, zagazowani, zagazowac, wytepieni, wytepic, straceni, uspieni, usypiac, zatluczeni, eksterminowani`,
  },
  pt: {
    group: `mulher, mulheres, meninas, femeas, feministas, trans, transexua*, transgenero*, travestis, gay, gays, homossexua*, homosexua*, lesbica, lesbicas, bissexua*, queer*, negros, negras, pretos, pretas, pessoas negras, africanos, africanas, asiaticos, indigenas, indios, deficiente*, deficientes, pessoas com deficiencia, autistas, muculman*, islamic*, islam, isla, islao, judeu, judeus, judia, judias, hindus, cristaos, catolicos, imigrante*, migrante*, refugiad*, estrangeiros, ciganos, ciganas, arabes, nordestinos, brasileiros, venezuelanos, angolanos, chineses, turcos, minorias, mulheres`,
    they: `eles, elas, os, as, essa gente, esse povo, esses, essas, lhes`,
    you: `tu, te, ti, es, voce, voces, vc, seu, sua, teu, tua, seus, suas, teus, tuas, sois, vos, vosso*, vossa*`,
    hate: `odeio, odiamos, odeia, odeiam, odiar, odio, detest*, desprez*, abomino, abomina, abominam, nao suporto, nao aguento, nao consigo suportar, me dao nojo, da nojo, dao nojo, dao me nojo, metem nojo, mete me nojo, nojo, repugn*, enojam, me enoja, me enjoam, vomitar, ranco, farto, cansado, asco, desprezo, desdem, odio, raiva, furia, furioso, furiosa, os piores, as piores, o pior, nada pior, pior que, pior do que, enojado, enojada, nojo, aversao, colera, irrita*`,
    scorn: `escoria*, verme, vermes, barata, baratas, parasit*, sub human*, subhuman*, selvagens, lixo, imund*, nojent*, asqueros*, repugnant*, repulsiv*, inferior, inferiores, degenerad*, abominac*, desprezive*, praga*, peste, pervertid*, putas, vadias, barbaros, barbaras, aberrac*, dejeto*, escumalha, ralé, rale, gentalha, nojo, sujos, sujas, indign*, podre, podres, desgraca, nao tem lugar`,
    fault: `malvad*, maus, mas, ruins, estupid*, burr*, idiotas, feios, feias, fedem, fedorent*, fedid*, preguicos*, primitiv*, incivilizad*, atrasad*, inutei*, patetic*, antinatura*, pecador*, perigos*, louc*, maluc*, mentiros*, frac*, horrive*, merda, violent*, corrupt*, imbeci*, burros, desonest*, vis, crueis, ignorantes, acefal*, descerebrad*, despreziv*, cobardes, covardes, falsos, falsas, nao valem nada, nao vale nada, sem cerebro, ridicul*`,
    figure: `animais, bestas, macacos, porcos, porcas, ratos, ratazanas, caes, cachorros, doenca, cancro, cancer, virus, criminosos, criminosas, bandidos, terroristas, estupradores, violadores, ladroes, assassinos, pedofilos, monstros, fardo, ameaca, perigo, piada, objetos, propriedade, diab*, demoni*, erro, desperdicio, enxame*, infest*, zoologico, veneno, criaturas, doente*`,
    insult: `vagabund*, porcos, ratos, lixos, vermes, idiota*, imbeci*, cretin*, estupid*, burro, burra, burros, palhac*, inutil, inuteis, otari*, babaca*, escoria, lixo, porco, porca, verme, parasit*, covarde*, mentiros*, perdedor*, fracassad*, patetic*, retardad*, nojent*, feio, feia, miserave*, desgracad*, trouxa, asno, animal, jumento, anormal, vagabund*`,
    is: `sao, e, es, como, ser, eram, era, somos, parecem, uns, umas, um, uma, voce, sempre, foram, apenas, pior, todos, todas, nao passam de, nao sao mais que, nao sao melhores que, nao sao nada alem de, ninguem e tao, nao conseguem evitar, nao conseguem deixar de, so, tipico, sempre, sem duvida, nada alem de`,
    violence: `mat*, matem, mort*, assassin*, extermin*, erradic*, aniquil*, elimin*, livrar, acabar com, queim*, enforc*, atir*, fuzil*, gase*, asfixi*, esfaque*, espanc*, bater, bate*, estupr*, viol*, atac*, machuc*, ferir, magoar, castig*, punid*, punir, tortur*, deport*, expuls*, esteriliz*, castr*, linch*, decapit*, degol*, massacr*, bombarde*, explod*, afog*, apedrej*, estrangul*, morr*, inferno, pres*, trancad*, trancafi*, fora, volt*, regress*, desaparec*, sumir, sumam, destru*, sofr*, surra, porrada, extint*, jaulas, jaula, arruin*, lixeira, aterro, jogad*`,
    vow: `morte a, morte aos, morte as, acabar com, vamos acabar, mundo sem, fogueira, execu*, pena de morte, condenad* a morte, matarei, matar, esfaque*, estupr*, violar, tortur*, massacr*, trucid*, degol*, garganta, gargantas, pescoco, enforc*, afog*, queimar, queimad*, livrar, extermin*, erradic*, fuzil*, estrangul*`,
    intent: `eu, nos, vamos, deveria*, devia*, deve, devem, tem que, tem de, merece*, vou, quero, queremos, todos, todas, cada, alguem, precis*, espero, tomara, vontade, hora, que, podia*, quem`,
    right: `merece*, humanos, humanas, pessoas, gente, iguais, direito*, pertence*, bem vind*, valor, confi*, respeit*, viver, existir, civilizad*, contribu*, inteligentes, normais, votar, liberdade, lugar, palavra, lugar, espaco`,
    not: `nao, nunca, jamais, nenhum, nenhuma, ninguem, nada, sem, nem`,
    counter: `errado, inaceitave*, racis*, machis*, sexis*, homofob*, transfob*, discrimin*, dizer, diz, dizem, disse, condeno, falso, estereotip*, ofensiv*, xenofob*, islamofob*, antissemit*, preconceit*, pare de, para de, frase, afirmar, comentario*, chamar`,
    threat: `vou te matar, vou matar te, te mato, se mata, te mata, mata te, espero que morras, espero que voce morra, vou te bater, vou te partir, parto te a cara, te quebro a cara, quebrar as pernas, partir as pernas, sabemos onde moras, sabemos onde voce mora, sei onde voce mora, sei onde moras, vamos te achar, vai morrer, vais morrer, enforca te, vai se arrepender`,
    alike: `gente como tu, gente como voce, gente como voces, pessoas como tu, pessoas como voce, gente da tua laia, gente da sua laia, os da tua laia, escoria como voce, lixo como voce`,
    harmed: `mortos, morta, mortas, abatidos, abatida, fuzilados, enforcados, queimados, exterminados, executados, eliminados, gaseados, espancados, degolados, sacrificados, afogados`,
  },
  tr: {
    group: `kadin, kadinlar*, kizlar*, feministler*, trans, translar*, transeksuel*, travestiler*, gey, geyler*, escinsel*, escinseller*, homoseksuel*, lezbiyen*, biseksuel*, siyahi*, siyahlar*, zenci*, afrikali*, asyali*, engelli*, engelliler*, ozurlu*, sakatlar*, otistik*, musluman*, yahudi*, hristiyan*, ermeni*, rumlar*, kurt*, kurtler*, aleviler*, gocmen*, multeci*, siginmaci*, suriyeli*, afgan*, yabanci*, cingene*, romanlar*, arap*, araplar*, azinlik*, kadinlari`,
    they: `onlar*, bunlar*, sunlar*, boyleleri*, bu insanlar*`,
    you: `misin, musun, misiniz, musunuz, sen, sana, seni, senin, siz, size, sizi, sizin, ulan, lan`,
    hate: `nefret*, igren*, tiksin*, tahammul edem*, katlanam*, sevmiyorum, midemi, mide bulandir*, midem bulan*, biktim, biktik, kusmak, kusacag*, usandim, kucumse*, hor gor*, kin, ofke*, ofkelen*, cileden, en kotu*, daha kotu*, beteri*, tiksinti*`,
    scorn: `pislik*, pislikler*, hasere*, bocek*, hamambocek*, parazit*, asalak*, insanlik disi, insan degil, yaratik*, vahsi*, barbar*, igrenc*, mide bulandirici, asagilik*, degersiz*, soysuz*, yozlas*, sapik*, sapkin*, copluk, cop, veba, fahiseler*, rezil*, serefsiz*, ahlaksiz*, mikrop*, adi, alcak*, namussuz*, lanetli*, bela*, yeri yok`,
    fault: `esek*, sapik*, kotu*, aptal*, salak*, cirkin*, pis, kirli*, tembel*, ilkel*, geri, gerici*, ise yaramaz*, zavalli*, dogaya aykiri, gunahkar*, tehlikeli*, deli*, yalanci*, zayif*, korkunc*, beyinsiz*, cahil*, embesil*, ahmak*, durust olmayan, acimasiz*, cahil*, kafasiz*, alcak*, korkak*, degersiz*, bes para etmez*`,
    figure: `hayvan*, maymun*, domuz*, fare*, kopek*, hastalik*, kanser*, virus*, suclu*, terorist*, tecavuzcu*, hirsiz*, katil*, canavar*, yuk, tehdit*, tehlike*, esya*, mal, seytan*, israf, zehir*, hasta*, mahluk*`,
    insult: `aptal*, salak*, gerizekali*, geri zekali*, ahmak*, embesil*, beyinsiz*, beceriksiz*, dangalak*, budala*, zavalli*, asagilik*, serefsiz*, yalanci*, korkak*, pislik*, domuz*, esek*, hayvan*, ezik*, mal, cirkin*, rezil*, haysiyetsiz*, karaktersiz*, ise yaramaz*, cahil*, enayi*, sahtekar*, kaz kafali*, manyak*, sigir*, okuz*`,
    is: `gibi, kadar, sadece, hep, hepsi, tam, olan, birer, bir, hepiniz, cok, misin, musun, misiniz, musunuz, sin, siniz, baska bir sey degil*, daha iyi degil*, tipik, her zaman, suphesiz`,
    violence: `oldur*, olmeli*, olsun*, olmeyi, olun, gebert*, geber*, katlet*, yok et*, yok edil*, imha*, kokunu kazi*, kokleri kazin*, yak*, asil*, asmali*, vur*, kursun*, gaz, bicakla*, dov*, dayak, tecavuz*, saldir*, zarar ver*, cezalandir*, iskence*, sinir disi*, surgun*, kisirlastir*, hadim*, linc*, kellesi*, kafasini kes*, bombala*, bogul*, bog*, tasla*, cehennem*, hapse*, defol*, kov*, atil*, geri gonder*, ulkelerine don*, gitsin*, yok olsun*, temizlen*, ezil*, kafes*, mahved*, copluge*`,
    vow: `olum, hepsini oldur*, kokunu kazi*, oldurecegim, oldurecegiz, oldurmek lazim, geberteceg*, idam*, yakmali, yakilmali, asilmali, katledilmeli, bogazin*, bogazlarini, iskence, kurtulmali*, olmadan dunya, bicaklayaca*, tecavuz edeceg*, temizlemeli*, yok etmeli*, dunya daha iyi`,
    intent: `ben, biz, gerek*, lazim, hepsi*, butun, tum, her, biri, birisi, umarim, keske, istiyorum, istiyoruz, hak ed*, artik, mali, meli, malilar, meliler, ecegiz, acagiz, ecegim, acagim, zamani`,
    right: `hak ed*, hak etm*, insan*, esit*, hak*, yer*, deger*, guven*, saygi*, yasam*, var olma*, medeni*, katki*, zeki, akilli, normal, oy, yeri`,
    not: `degil*, yok, asla, hic, hicbir, kimse, etmiyor*, olmamali*, etmez*, olamaz*, edilmez*`,
    counter: `yanlis, kabul edilemez, irkci*, cinsiyetci*, homofob*, ayrimci*, demek, diyor*, diyen*, dedi*, kiniyor*, yalan, onyargi*, hakaret*, nefret soylemi`,
    threat: `seni oldurecegim, seni oldururum, oldurecegiz seni, seni geberticem, geberteceg*, kendini oldur, olsen de kurtulsak, bacaklarini kirariz, kemiklerini kirarim, agzini burnunu kirarim, nerede oturdugunu biliyoruz, evini biliyoruz, seni bulacagiz, canini yakarim, bogazini keserim, canina okurum, umarim olursun`,
    alike: `senin gibiler, senin gibileri, senin gibilerin, sizin gibiler, sizin gibileri, sizin gibilerin, senin gibi insanlar, sizin gibi insanlar, senin soyun, senin gibi pislikler`,
    harmed: `oldurulmeli, oldurmeli, oldurulmesi, asilmali, asilmasi, yakilmali, yakmali, kursuna dizilmeli, vurulmali, gebertilmeli, gebertmeli, yok edilmeli, katledilmeli, idam edilmeli, temizlenmeli`,
  },
};

export const lexicons: Record<AbuseLanguage, Lexicon> = Object.fromEntries(
  Object.entries(written).map(([language, lexicon]) => [
    language,
    {
      ...lexicon,
      threat: `${lexicon.threat}, ${threatsToYou[language as AbuseLanguage]}, ${foretold[language as AbuseLanguage]}`,
    },
  ]),
) as Record<AbuseLanguage, Lexicon>;
