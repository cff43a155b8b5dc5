// Defines the limits of a result that a model receives.

/** 2,000 lines and 50 KB (51,200 bytes). */
export const outputLimits = { maxLines: 2000, maxBytes: 51_200 } as const
