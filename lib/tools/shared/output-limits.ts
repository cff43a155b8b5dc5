// What a model is shown at most of a file or an output, in one result.

/** 2,000 lines and 50 KB (51,200 bytes). */
export const outputLimits = { maxLines: 2000, maxBytes: 51_200 } as const
