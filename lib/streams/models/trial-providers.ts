// Names the providers of models for trials.

/** They do not count as usable, and do not become the last choice. */
export const trialProviders: ReadonlySet<string> = new Set(['demo', 'scripted', 'replay'])
