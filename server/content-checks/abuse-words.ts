/**
 * Vulgar words and slurs of nine languages: those of the package naughty-words (LDNOOBW, CC-BY-4.0), less the ones that
 * ordinary messages need, plus forms that the lists lack.
 */
import naughtyWords from "naughty-words";

export const abuseLanguages = ["en", "de", "es", "fr", "it", "nl", "pl", "pt", "tr"] as const;
export type AbuseLanguage = (typeof abuseLanguages)[number];

const words = (text: string): string[] =>
  text
    .split(",")
    .map((word) => word.replace(/\s+/g, " ").trim())
    .filter((word) => word !== "");

/**
 * Words of the lists that are left out, by the reason: each stands in messages that hurt nobody.
 * `sexual`: bodies, health, shops for adults and the law; whether such a text may be sent is not a question of insult.
 */
const leftOut: Record<AbuseLanguage, { ordinary: string; sexual: string; mild?: string }> = {
  en: {
    ordinary: `alaskan pipeline, babeland, bareback, big black, birdlock, butt, clover clamps, cock, cocks, coon, coons,
      cornhole, cumming, dick, dingleberry, dingleberries, dog style, doggie style, doggy style, domination, dvda, escort,
      eunuch, fingering, girl on, girl on top, grope, hard core, hardcore, hooker, how to kill, how to murder, huge fat,
      humping, jelly donut, juggs, leather restraint, leather straight jacket, make me come, mong, mr hands, nutten,
      octopussy, one guy one jar, pegging, playboy, pleasure chest, poof, poon, prince albert piercing, quim, rimming,
      santorum, scat, scissoring, shrimping, skeet, snatch, snowballing, spunk, strap on, style doggy, tainted love,
      taste my, tea bagging, tied up, tight white, tit, tongue in a, tushy, twinkie, violet wand, wrapping men, xx, xxx,
      yellow showers, negro, s&m, smut, honkey, figging, felch, suicide girls, bullet vibe, guro, dommes, cum, bimbos, spastic, paki, darkie`,
    sexual: `anal, anilingus, anus, auto erotic, blowjob, blow job, creampie, cunnilingus, tribadism,  autoerotic, barely legal, barenaked, bbw, bdsm, beastiality, bestiality, black cock,
      blonde action, blonde on blonde action, bondage, boner, boob, boobs, booty call, brunette action, bukkake, busty,
      buttcheeks, camel toe, camgirl, cialis, clit, clitoris, date rape, daterape, dendrophilia, dildo, dominatrix,
      ejaculation, erotic, erotism, ecchi, fecal, fellatio, femdom, fisting, foot fetish, futanari, gay sex, genitals,
      group sex, g-spot, hentai, homoerotic, horny, hot chick, incest, intercourse, kinbaku, kinkster, kinky, lolita,
      lovemaking, masturbate, masturbating, masturbation, menage a trois, milf, missionary position, mound of venus,
      nambla, nawashi, neonazi, nimphomania, nipple, nipples, nsfw, nsfw images, nude, nudity, nympho, nymphomania,
      omorashi, orgasm, orgy, paedophile, panties, panty, pedophile, penis, phone sex, porn, porno, pornography, pubes,
      rape, raping, rapist, rectum, sadism, semen, sex, sexcam, sexo, sexual, sexually, sexuality, sexy, shibari, shota,
      sodomy, strip club, sultry women, swastika, swinger, threesome, topless, twink, undressing, upskirt, urophilia,
      vagina, venus mound, viagra, vibrator, voyeur, vulva, wet dream, yaoi, zoophilia, livesex, sexcam, swastika, acrotomophilia`,
    mild: `god damn, suck, sucks, bastinado`,
  },
  de: {
    ordinary: `bonze, fratze, ische, kimme, lümmel, mufti, popel, poppen, rosette, schabracke, schiesser, bumsen, vögeln, dödel,
      kacke, kacken, pinkeln, möpse, pimpern, vollpfosten, schnackeln, pissen, bimbo, möse, bratze, muschi`,
    sexual: `milf, nackt, nippel, onanieren, orgasmus, penis, porno, morgenlatte`,
  },
  es: {
    ordinary: `asesinato, asno, caca, concha, drogas, heroína, infierno, martillo, maldito, nazi, orina, pedo, pis, pinche, racista,
      sádico, trio, verga, chupada, maciza, pervertido, travesti, fiesta de salchichas, tía buena, kapullo, chupetón, idiota, imbécil`,
    sexual: `esperma, haciendo el amor, pezón, prostituta, semen, sexo, sexo oral, vulva, coprofagía, tetas grandes, culo`,
  },
  fr: {
    ordinary: `baiser, bander, bigornette, bite, bitte, bourré, bourrée, caca, chatte, con, conne, cul, folle, gerbe, gerber, gueule,
      jouir, meuf, negro, pédale, péter, pipi, pisser, ramoner, suce, tanche, trique, malpt, bordel, zizi, brouter le cresson, déconne,
      déconner, chiottes, teuch, palucher, tringler, tapette`,
    sexual: `clito, clitoris, ménage à trois`,
  },
  it: {
    ordinary: `allupato, ammucchiata, assatanato, bagnarsi, balle, battere, biga, boiata, bofilo, brinca, cacca, cadavere, cagna, casci,
      cesso, ciospo, cornuto, cozza, fava, femminuccia, finocchio, fracicone, goldone, guardone, imbecille, ingoio, lecchino, lofare,
      loffa, loffare, mannaggia, mona, monta, montare, mussa, nave scuola, padulo, palle, palloso, patacca, pecorina, pesce, picio,
      pincare, pippa, pinnolone, pipì, pippone, pisello, pistolotto, pomiciare, pompa, porco, porca, porca miseria, potta, quaglia,
      regina, rizzarsi, ruffiano, sbattere, sbattersi, sega, slinguare, slinguata, soccia, sorca, spagnola, succhione, sveltina,
      tarzanello, tirare, topa, vacca, vangare, zio cantante, zoccola, belino, bordello, chiappa, checca, troia, piscio, pisciare,
      rompiballe, cagare, scopare, scopata, sbrodolata, smandrappata, sticchio, arruso, arrusa, porco due, porco zio, pirla`,
    sexual: `anale, arrapato, fica, tette, zinne, ditalino, sverginare`,
  },
  nl: {
    ordinary: `aardappels afgieten, achter het raam zitten, afberen, aflebberen, afrossen, aftrekken, afwerkplaats, afzuigen,
      een halve man en een paardekop, anita, asbak, aso, balen, bedonderen, bekken, belazeren, beurt, boemelen, brugpieper,
      buffelen, befborstel, buiten de pot piesen, de ballen, de hond uitlaten, de koffer induiken, del, de pijp uitgaan, dombo,
      draaikont, driehoog achter wonen, drol, een beurt geven, een nummertje maken, eikel, engerd, flikken, gadverdamme, gat,
      gedoogzone, gras maaien, griet, hoerenbuurt, hol, huisdealer, johny, kanen, klaarkomen, klooien, klojo, knor, kont, lummel,
      mafketel, matje, mof, muts, naaien, nicht, opzouten, paal, palen, penoze, piesen, pijpen, pik, poep, poepen, poot, pot,
      potverdorie, raaskallen, reet, remsporen, reutelen, schatje, schuinsmarcheerder, slempen, spuiten, standje, standje-69,
      stootje, sufferd, rukken, afrukken, schoft, teef, griet, toeter, triootjeg, vergallen, viespeuk, vingeren, voor jan-met-de-korte-achternaam, watje, wip, wippen,
      welzijnsmafia, wijf, wuftje, zaadje, zakkenwasser, zuigen, zuiplap, een wip maken, flamoes, hoempert, kwakkie, liefdesgrot,
      oprotten, reet trappen voor zijn, voor jan lul, op z'n hondjes, snol, vleesroos, publiciteitsgeil, kettingzeug, zeiken`,
    sexual: `naakt, shit`,
  },
  pl: {
    ordinary: `burdel, burdelmama, dmuchać, duperele, jajco, jajko, pieprzyć, syf, suka, rzygać, debil, cyc, pierdoła, cipa, sraczka`,
    sexual: ``,
  },
  pt: {
    ordinary: `aborto, amador, aranha, balalao, boob, bumbum, burro, camisinha, cerveja, cocaína, coito, comer, consolo, chupar,
      dum raio, frango assado, gozar, heroína, inferno, mama, passar um cheque, pau, peidar, pinto, queca, saco, sacanagem, torneira,
      ariano, corno, cu, bicha, veado, grelho, xana, cona, transar, cacete, biscate`,
    sexual: `ânus, bissexual, clitoris, fecal, heterosexual, homem gay, homoerótico, homosexual, lésbica, lolita, pênis, vibrador`,
  },
  tr: {
    ordinary: `am, amı, amlar, çingene, çingenede, çingeneden, çingeneler, çingenelerde, çingenelerden, çingenelere, çingeneleri,
      çingenelerin, çingenenin, çingeneye, çingeneyi, sik, sike, siki, sikin, sikte, sikten, sikler, sikleri, siklere, siklerin,
      siklerde, siklerden, otuz birci, göt, göte, götü, götün, götte, götten`,
    sexual: ``,
  },
};

/** Forms that the lists lack. A `*` at the end stands for any ending. */
const added: Record<AbuseLanguage, string> = {
  en: `fuck*, motherfuck*, bullshit*, shithead*, shitface*, shithole*, dipshit*, dickhead*, dumbass*, dumbfuck*, jackass,
    asshat*, assholes, arseholes, bastards, bitches, bitching, cunts, whores, sluts, slutty, wankers, wanker, twats,
    cocksuck*, faggots, fags, niggers, niggas, kikes, spics, chinks, gooks, gook, wogs, wog, pakis, ragheads,
    towelheads, wetbacks, sandnigger*, trannies, shemales, lezzo, retard, retards, retarded, libtard*, spaz, spazzes,
    subhuman*, untermensch*, gyppo*, zipperhead*, camel jockey, camel jockeys, jungle bunny, porch monkey, coon
    hunting, piece of crap, go to hell, screw you, kys, gtfo, stfu`,
  de: `arschloch*, arschlöcher, arschgeige*, arschkriecher*, drecksack*, dreckskerl*, drecksau*, miststück*, scheiß*,
    scheiss*, beschissen*, verfickt*, gefickt, abgefuckt, hurens*, huren, nutten, fotzen, schlampen, wichser*, wixer*,
    missgeburt*, schwuchtel*, tunten, transe, transen, kanaken, kümmeltürk*, neger*, nigger*, zigeunerpack, judensau*,
    judenschwein*, schlitzauge*, untermensch*, mannsweib*, krüppel, verpiss*, halt die fresse, halts maul, halt's
    maul, kampflesben, flittchen, vollidiot*, penner, scheißkerl*, fick, ficken, fickt, fickte, ficker, fickst,
    spasti, spastis, bastarde, drecksweib*`,
  es: `gilipoll*, hijueput*, hijoput*, hijaput*, hijos de puta, cabrón, cabrones, cabrona*, putas, puto, putos, putita*,
    malparid*, pendeja, pendejos, pendejas, coño, joder, jódete, jodete, jodido*, jodida*, maricones, maricas,
    mariconada*, bolleras, sudaca, sudacas, moromierda*, negrata, negratas, retrasado mental, retrasados mentales,
    cállate la boca, vete al infierno, chingad*, chinga tu madre, mierdas, soplapolla*, comemierda*, mamón, mamones,
    moraco*, feminazi*, tarado*, basura humana, culero, culeros, subnormales de mierda`,
  fr: `connard*, connass*, enfoir*, salopard*, salaud*, pute, putes, putain*, fils de pute*, ta gueule, ferme ta gueule,
    niquer, sale bâtard, sales bâtards, bande de bâtards, espèce de bâtard, espèces de bâtards, pauvre bâtard, gros bâtard, petit bâtard, fils de bâtard, pédés, pd, tarlouze*, tapettes, gouines, bougnoul*, négro, négros,
    nègres, youpin*, youtre*, bamboula*, chinetoque*, triso, merdique*, emmerd*, va chier, pétasse*, poufiasse*,
    pouffiasse*, crouille*, sale race, sous-homme*, feujs, niakoué*, branleur*, enculé, enculée, enculés, enculer,
    enculeur, salope, salopes, abruti, abrutis, nique, niquez, débile, débiles, bicot, bicots, sale arabe, sale juif,
    sale noir, sale pédé`,
  it: `cazz*, stronz*, vaffancul*, puttan*, coglion*, merd*, minchi*, figli di puttana, pezzo di merda, pezzi di merda,
    froci, frocio, frocetto, ricchion*, recchion*, culatton*, negracci*, terroni, zingaracci*, crucco, crucchi,
    handicappato di merda, troie, zoccole, mignott*, bagasc*, baldracc*, fottut*, fottiti, rincoglionit*, leccacul*,
    testa di cazzo, teste di cazzo, muso giallo, musi gialli, trans di merda, travone, travoni, bastardo, bastardi,
    bastarda, bastarde`,
  nl: `klootzak*, klotezak*, kut*wijf, kutwijf, kutwijven, kutmarokkan*, hoer, hoeren, hoerenjong*, hoerenzoon*, godverdom*,
    godverdorie, lul, lulletje, sletten, slettebak*, flikkers, nikker*, zandneger*, neger, negers, geitenneuker*,
    geitenneukers, mocro, rotmof*, spleetoog, spleetogen, roetmop*, zwartjoekel*, rot op, flikker op, sodemieter op,
    vuile teef, stomme teef, vieze teef, domme teef, gore teef, trut, neuk*, verneuk*, pot*potten, hoerenkind*, schijt, stront, manwijf, manwijven, shemale, kutjood,
    kutjoden, kutmoslim*, kankerhoer*, kankerlijer*, kankerwijf*, kankerjood*, kankerjoden, kankermongool*,
    kankerneger*, kankerhomo*, kankermoslim*, kankermarokkan*, teringlijer*, teringwijf*, teringhoer*, tyfuslijer*,
    tyfushoer*, pleurislijer*, oprotten`,
  pl: `kurw*, jeba*, jebi*, zjeb*, wyjeb*, przejeb*, pierdol*, pierdal*, spierdal*, wypierdal*, zapierdal*, odpierdol*,
    wkurw*, skurw*, skurwiel*, chuj*, pojeb*, popierdol*, dziwk*, pedzio*, lachociąg*, cwel*, pizd*, gówn*, dupek,
    dupki, kutas*, fiut*, gnojek, ciapat*, czarnuch*, brudas*, żydek, żydki, ruski śmieć, debilu, debile, debilk*,
    kretyn*, idioto, zamknij ryj, zamknij mordę, morda w kubeł, śmieciu, lesba, lesby, transiarz*, pedałów, podludz*,
    babochłop*, ciota, cioty, ciotę, cioto, ciotą, ty szmato, ty pedale, pedale, huj, huja, huje`,
  pt: `caralh*, foder, fodase, foda-se, fodido*, fodida*, fode-te, vai-te foder, vai se foder, vsf, filho da puta, filhos da
    puta, filha da puta, fdp, putas, putaria, merda*, cabrão, cabrões, cabrao, cuzão, cuzao, cuzões, buceta, boceta,
    babaca, babacas, desgraçad*, vadias, viado*, viadinh*, boiola*, baitola*, sapatão, sapatao, sapatões, paneleir*,
    preto fedorento, aleijad*, escória, xibunga, porra, cala a boca, vai à merda, judeuzinh*, fufa, fufas, larilas,
    piroca*, seu otário, otário, otários, vagabunda, vagabundas, traveco, travecos, imbecil, imbecis, bosta, bostas`,
  tr: `orospu*, siktir*, sikey*, sikti*, sikeyim, sikerim, sikiyim, amcık*, aminako*, amk, piç, piçler, piç kurusu,
    götveren*, götlek*, göt herif, ibne*, ibneler*, kahpe*, kaltak*, yarrak*, yarak*, taşşak*, pezevenk*, kavat*,
    dalyarak*, şerefsiz*, haysiyetsiz*, orospunun*, ananın amı, anasını sik*, gerizekalı*, geri zekalı*, gerzek*,
    dangalak*, hıyar herif, yavşak*, sürtük*, fahişe*, it oğlu it, köpek oğlu*, eşek oğlu*, top herif, zenci köpek,
    kıro, kıroo*, gavur*, lanet olsun sana, defol git, kes sesini, aptal herif, salak herif, mal herif, bok herif,
    boktan, amına ko*, amina ko*, amina koy*, ananı avradını, ananı sik*, nonoş, nonoşlar, puşt, puştlar, gavat,
    gavatlar`,
};

interface AbuseWord {
  languages: Set<AbuseLanguage>;
}

/** The words as written, small: each with the languages in which it is abuse, endings marked by `*`. */
export function abuseWords(): Map<string, AbuseWord> {
  const all = new Map<string, AbuseWord>();
  for (const language of abuseLanguages) {
    const { ordinary, sexual, mild = "" } = leftOut[language];
    const skip = new Set(words(`${ordinary}, ${sexual}, ${mild}`).map((word) => word.toLowerCase()));
    const listed = (naughtyWords[language] ?? []).map((word) => word.toLowerCase());
    for (const word of [...listed.filter((word) => !skip.has(word)), ...words(added[language])]) {
      const entry = all.get(word) ?? { languages: new Set() };
      entry.languages.add(language);
      all.set(word, entry);
    }
  }
  return all;
}

/**
 * Words that mean something else in another of the languages, or in names and codes: they only count in texts of their
 * own language.
 */
export const onlyAtHome = new Set(
  words(`gówn*, fdp, pust, puşt, puştlar, pute, putes, amk, ananı avradını, coño, piç, piçler, pédé, pédés, gavat, gavatlar, enculer, ramera, nonoş, nonoşlar,
    pakis, tasak, taşak, negros, nègre, nègres, négro, négros, marica, maricas, travelo*, dupa, debil, debilu, debile, débile, débiles, imbecil, imbecis, otário, otários,
    traveco, travecos, bosta, bostas, vagabunda, vagabundas, ass, hure, retard, retards, retarded, spaz,  dick, fag, slut, spic, lul, hoer, kut, del, teef, puto, puta, puttan, merde, merda, bosta, porra, culo, hoeren, potten, pinda,
    rape, suce, negro, negri, negra, neger, negers, mongo, mongos, mongool, mongol, mongolen, pd, amk, aq, mk, trav, transe,
    transen, bollera, bolleras, pissen, figa, potta, froci, potten, trut, trutten, schijt, stront, slet, hufter,
    schoft, griet, dupa, dupek, dupki, suki, suko, szmata, szmaty, szmato, gnoje, turas, bambus, bambusy, lesba, lesby, downy, mamón, mamones,
    chuj, huj, fiut, foda, foder, vadia, vadias, fufa, fufas, viado, mufti, nicht, bimbo, bimbos, spastic, wog, wogs, gook, chink, chinks,
    kys, salaud, nutte, nutten, penner, crucco, crucchi, terrone, terroni, sudaca, sudacas, joder, it, top herif,
    kaltak, ibne, piç, kahpe, minchia, cazzo, screw you, go to hell, cul, lullen, lulletje, kloten, slik mijn zaad, rukken, afrukken,
    prick, pricks, twat, twats, tosser, tit, tits, wank, wanker, cum, hoerig, snol, spuiten, kanen, zeiker, ariano, macaco preto, kebab ty,
    basura humana, trio, babaca, babacas, pariu, cornudo, desgraçad, débile, abruti, deficient, beduin, asfalt*, kalek*, merd*, bastard*,
    downie, sfigat*, drecks*, spasti*, tering*, kanker*, neuk*, pleuris*, pedal*, ciot*, tarado*, deficient*, nique*, emmerd*, débile*, abruti*,
    debiel*, achterlijk*, crioulo*, otário*, imbecil*, vagabund*, retardado*, aleijad*, gavur*, bosta*, merda*, zwartjoekel*, pokrak*,
    asfalt*, brudas*, kalek*, verkrachter*, oprot*, schoft, pikey, honkey, chatte, sorca, cozza`),
);

/** Words that without their accents are others: they only count as they are written. */
export const accentsMatter = new Set(
  words(`coño, gówno, gówna, möse, pédé, pédés, nègre, nègres, négro, négros, taşak, taşağı, taşağa, taşağın, puşt, puştlar, nonoş, piç, piçler,
    amı, étron, pute, pênis, cabrão, piçi, mamón, mamones`),
);

/** Ordinary words that an ending makes of one of these. */
export const harmless = new Set(
  words(`negeren, genegeerd, fickle, salopette, salopettes, ciotka, ciotki, pustej`),
);

/** Plants, animals, clothes and tools whose names begin with one of these, by what follows it. */
export const compounds: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    pussy: "willow, willows, bow, bows, cat, cats, riot",
    bastard: "file, files, sword, balm, title, toadflax",
    bitch: "puppy, puppies, pup, pups",
  }).map(([word, following]) => [word, new Set(words(following))]),
);
