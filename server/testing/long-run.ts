/** How often a test repeats itself: as a variable of the environment says, for a long proof, or as usual. */
export const runsOf = (variable: string, usual: number): number => Number(process.env[variable] ?? usual);
