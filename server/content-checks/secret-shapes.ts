/** Keys and tokens that their issuers gave a form of their own. Everything is bounded: a test holds the rules to that. */

/** Without a word for it beside them; alternatives of one pattern. */
export const secretShapes: readonly string[] = [
  String.raw`-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----`,
  String.raw`\bPuTTY-User-Key-File-[23]`,
  String.raw`\bAGE-SECRET-KEY-1[A-Z0-9]{58}\b`,
  // Clouds
  String.raw`\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b`,
  String.raw`\bAIza[0-9A-Za-z_-]{35}`,
  String.raw`\bGOCSPX-[0-9A-Za-z_-]{28}`,
  String.raw`\bya29\.[0-9A-Za-z_-]{20,255}`,
  String.raw`\bAccountKey=[A-Za-z0-9+/]{86}==`,
  String.raw`\b(?:dop|doo|dor)_v1_[a-f0-9]{64}\b`,
  String.raw`\bdapi[a-f0-9]{32}\b`,
  String.raw`\bpscale_(?:tkn|pw|oauth)_[A-Za-z0-9_=.-]{32,64}`,
  String.raw`\bsbp_[a-f0-9]{40}\b`,
  String.raw`\bhv[sbr]\.[A-Za-z0-9_-]{24,255}`,
  String.raw`\bdp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}\b`,
  String.raw`\b[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}`,
  // Code hosts and package registries
  String.raw`\bgh[pousr]_[A-Za-z0-9]{36,255}\b`,
  String.raw`\bgithub_pat_[A-Za-z0-9_]{50,255}\b`,
  String.raw`\bgl(?:pat|ptt|rt|dt|cbt|oas|soat|imt|agent|ffct)-[A-Za-z0-9_-]{20,64}`,
  String.raw`\bATATT3[A-Za-z0-9_=-]{50,255}`,
  String.raw`\bATBB[A-Za-z0-9]{32}\b`,
  String.raw`\bnpm_[A-Za-z0-9]{36}\b`,
  String.raw`\bpypi-Ag[A-Za-z0-9_-]{60,255}`,
  String.raw`\brubygems_[a-f0-9]{48}\b`,
  String.raw`\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{27,32}`,
  String.raw`\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}\b`,
  // Payments and shops
  String.raw`\b[sr]k_(?:live|test|prod)_[A-Za-z0-9]{16,255}\b`,
  String.raw`\bsq0(?:atp|csp|idp)-[0-9A-Za-z_-]{22,43}`,
  String.raw`\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b`,
  String.raw`\bFLWSECK(?:_TEST)?-[a-zA-Z0-9]{12,64}`,
  String.raw`\baccess_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}`,
  // Messages and mail
  String.raw`\bxox[abceoprs]-[A-Za-z0-9-]{10,255}\b`,
  String.raw`\bxapp-\d-[A-Za-z0-9-]{20,255}\b`,
  String.raw`\bhttps:\/\/hooks\.slack\.com\/(?:services|workflows)\/[A-Za-z0-9/]{20,80}\b`,
  String.raw`\bhttps:\/\/(?:ptb\.|canary\.)?discord(?:app)?\.com\/api\/webhooks\/\d{15,20}\/[A-Za-z0-9_-]{60,80}`,
  String.raw`\b[MNO][A-Za-z0-9_-]{23,26}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}\b`,
  String.raw`(?<!\d)\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])`,
  String.raw`\bSG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,64}\b`,
  String.raw`\bxkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}\b`,
  String.raw`\bre_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,40}\b`,
  String.raw`\b(?:pub)?key-[0-9a-f]{32}\b`,
  String.raw`\b[0-9a-f]{32}-us\d{1,2}\b`,
  String.raw`\bSK[0-9a-f]{32}\b`,
  String.raw`\btdg_(?:live|test|sbx)_[A-Za-z0-9_-]{20,255}\b`,
  String.raw`\bwhsec_[A-Za-z0-9+/]{24,128}={0,2}`,
  // Models and tools
  // With a digit and a long part: style names begin with "sk-", too.
  String.raw`(?<![A-Za-z0-9_-])sk-(?=[A-Za-z_-]{0,60}\d)(?=[A-Za-z0-9_-]{0,255}?[A-Za-z0-9_]{16})[A-Za-z0-9_-]{20,255}\b`,
  String.raw`\bhf_[A-Za-z0-9]{30,64}\b`,
  String.raw`\bgsk_[A-Za-z0-9]{52}\b`,
  String.raw`\br8_[A-Za-z0-9]{37}\b`,
  String.raw`\bxai-[A-Za-z0-9]{70,90}\b`,
  String.raw`\bNRAK-[A-Z0-9]{27}\b`,
  String.raw`\bgls[ac]_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}\b`,
  String.raw`\bglc_[A-Za-z0-9+/]{32,255}={0,2}`,
  String.raw`\bsntry[su]_[A-Za-z0-9+/=_-]{60,255}`,
  String.raw`\blin_api_[A-Za-z0-9]{40}\b`,
  String.raw`\bntn_[A-Za-z0-9]{40,60}\b`,
  String.raw`\bfig[dor]_[A-Za-z0-9_-]{40,60}`,
  String.raw`\bops_eyJ[A-Za-z0-9+/=]{100,2000}`,
  String.raw`\bCFPAT-[A-Za-z0-9_-]{43}`,
  // Signed tokens, and addresses with a user's password in them.
  // Not \b, which matches before every part of "eyJ-eyJ-…" and would start over at each.
  String.raw`(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,2000}(?:\.[A-Za-z0-9_-]{0,2000})?`,
  String.raw`\b[a-z][a-z0-9+]{1,20}:\/\/[^\s/:@<>"{\ufffc]{0,64}:[^\s/:@<>"{\ufffc]{1,128}@[A-Za-z0-9.-]{1,255}`,
  String.raw`(?<=\baws_secret_access_key["']?\s{0,3}[:=]\s{0,3}["']?)[A-Za-z0-9/+]{40}`,
];

/** Words before `:` or `=` whose value is a secret. */
const secretNames = String.raw`(?:api|app|application|access|auth|authentication|client|consumer|private|secret|signing|encryption|service|master|account|session|refresh|bearer|webhook|deploy|storage|shared|license|licence)[ _.-]{0,2}(?:key|secret|token|credential)s?|api[ _.-]{0,2}schl[uü]ssel|zugangsschl[uü]ssel|(?:cl[ée]|clave|chiave|chave|klucz|sleutel)[ _.-](?:d['’])?(?:api|acc[eè]s|secreta|secr[eè]te|segreta|prywatny|geheime)|token|secret|jeton|geheimnis|jwt|hmac|x-api-key|x-auth-token`;

/** `name: value` and `name = value`, in configurations, addresses and prose. */
export const namedSecret = String.raw`(?<![\p{L}\d])(?:[a-z0-9]{1,20}[_-]|the|my|our|your){0,3}(?:${secretNames})["'\]]{0,2}(?:[ ](?:is|ist|est|es|è|jest|é|lautet))?["']?[ \t]{0,3}(?:=>|:=|[:=]|[ ](?=["'\u0060]?[A-Za-z0-9]{0,200}\d))[ \t]{0,3}["'\u0060]?[A-Za-z0-9_.~+/=!@#$%^&*?|>()\[\]-]{8,512}`;

/** `Authorization: Bearer …` and the like. */
export const authorisation = String.raw`\b(?:bearer|basic|digest|apikey)[ ]{1,2}[A-Za-z0-9_.~+/-]{8,2000}={0,2}`;

/** Whether letters and digits look drawn at random: enough different ones, and not only words. */
export function looksRandom(text: string, atLeast: number): boolean {
  const bare = text.replace(/[^A-Za-z0-9]/g, "");
  if (bare.length < atLeast) return false;
  const different = new Set(bare).size;
  if (different < 5) return false;
  if (new Set(text.match(/[!@#$%^&*?|>()[\]+=~]/g)).size >= 3) return true;
  if (/\d/.test(bare) && /[A-Za-z]/.test(bare)) return true;
  if (/^\d+$/.test(bare)) return bare.length >= 16;
  // Letters alone: large ones inside the word, as no language has them.
  return bare.length >= 16 && /[a-z][A-Z]/.test(bare) && /[A-Z][A-Z]/.test(bare) && different >= 10;
}
