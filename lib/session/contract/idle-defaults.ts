// The idle limits of a model's answer.

/** Milliseconds without a token that count as a stall (docs/loop.md#26) … */
export const defaultIdleMs = 120_000
/** … and for the first token of a local endpoint, which may have to load the model. */
export const defaultLocalFirstMs = 600_000
