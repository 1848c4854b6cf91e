/** Stands where a recipient's address was before it was erased, or its time was over. */
export const erasedText = "[erased]";
