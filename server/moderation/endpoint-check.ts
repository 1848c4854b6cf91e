import type { ModerationVerdict } from "../ai/wire.ts";
import type { CheckedText } from "../content-checks/checks.ts";
import { wholeText } from "../content-checks/locate-findings.ts";
import type { Finding } from "../content-checks/schemas.ts";
import { htmlToText } from "../template-language/html-text.ts";

/**
 * The length of text that the endpoint reads at once, in characters: longer texts are split, with an overlap longer
 * than a sentence.
 */
const pieceLength = 8_000;
const overlap = 400;

/** A part of a text that goes to the moderation endpoint. */
export interface Piece {
  of: CheckedText;
  text: string;
}

/** The texts as sent to the endpoint: mark-up would only hide the words from it. */
export function piecesOf(texts: readonly CheckedText[], channel: string): Piece[] {
  return texts.flatMap((of) => {
    const words = channel === "email" && of.pointer === "/body" ? htmlToText(of.text) : of.text;
    const pieces: Piece[] = [];
    for (let at = 0; at < words.length; at += pieceLength - overlap) {
      pieces.push({ of, text: words.slice(at, at + pieceLength).toWellFormed() });
      if (at + pieceLength >= words.length) break;
    }
    return pieces.filter(({ text }) => text.trim() !== "");
  });
}

interface Meaning {
  category: Finding["category"];
  /** From this score on it blocks; below, it is a warning. */
  blocksFrom: number;
  explanation: string;
}

const meanings: Record<string, Meaning> = {
  // Anger also scores here: that alone is tone, and tone does not block.
  harassment: { category: "abusive_language", blocksFrom: 0.7, explanation: "This reads as harassment." },
  "harassment/threatening": {
    category: "abusive_language",
    blocksFrom: 0,
    explanation: "This reads as a threat against somebody.",
  },
  hate: { category: "abusive_language", blocksFrom: 0, explanation: "This reads as hatred against a group." },
  "hate/threatening": {
    category: "abusive_language",
    blocksFrom: 0,
    explanation: "This reads as hatred with threats of violence.",
  },
  illicit: {
    category: "policy_violation",
    blocksFrom: 0,
    explanation: "This reads as help with something illegal.",
  },
  "illicit/violent": {
    category: "policy_violation",
    blocksFrom: 0,
    explanation: "This reads as help with violence or weapons.",
  },
  sexual: { category: "policy_violation", blocksFrom: 0, explanation: "This reads as sexual content." },
  "sexual/minors": {
    category: "policy_violation",
    blocksFrom: 0,
    explanation: "This reads as sexual content that involves minors.",
  },
  // Crisis lines and help for those affected must be able to write about it.
  "self-harm": {
    category: "policy_violation",
    blocksFrom: Infinity,
    explanation: "This is about self-harm.",
  },
  "self-harm/intent": {
    category: "policy_violation",
    blocksFrom: Infinity,
    explanation: "This is about the intention of self-harm.",
  },
  "self-harm/instructions": {
    category: "policy_violation",
    blocksFrom: 0,
    explanation: "This reads as instructions for self-harm.",
  },
  // News, films and games mention it.
  violence: { category: "policy_violation", blocksFrom: Infinity, explanation: "This is about violence." },
  "violence/graphic": {
    category: "policy_violation",
    blocksFrom: Infinity,
    explanation: "This shows violence in detail.",
  },
};

/** The verdicts as findings over the whole texts, one for each text and category; `verdicts` in the order of `pieces`. */
export function endpointFindings(
  pieces: readonly Piece[],
  verdicts: readonly ModerationVerdict[],
): Finding[] {
  const findings = new Map<string, Finding>();
  verdicts.forEach((verdict, index) => {
    const piece = pieces[index];
    if (!piece || !verdict.flagged) return;
    for (const name of verdict.categories) {
      const meaning = meanings[name] ?? {
        category: "policy_violation" as const,
        blocksFrom: Infinity,
        explanation: `The moderation service reports: ${name.slice(0, 60)}.`,
      };
      const severity = (verdict.scores[name] ?? 1) >= meaning.blocksFrom ? "block" : "warn";
      const key = `${piece.of.pointer} ${name}`;
      if (findings.get(key)?.severity === "block") continue;
      findings.set(key, {
        category: meaning.category,
        severity,
        ...wholeText(piece.of),
        explanation: meaning.explanation,
        suggestion: null,
      });
    }
  });
  return [...findings.values()];
}
