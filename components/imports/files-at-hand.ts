"use client";

/** Files that were chosen on this page and are not uploaded yet, by import. After a reload they have to be chosen again. */
export const filesAtHand = new Map<string, File>();

/** What a `FileButton` of an import asks for. */
export const csvFile = { label: "CSV file", accept: ".csv,.tsv,.txt,text/csv,text/plain" };
