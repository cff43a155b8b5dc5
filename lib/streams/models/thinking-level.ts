// How much a model is asked to think before it answers; providers map the level to a budget or an effort word.
export const thinkingLevels = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const
export type ThinkingLevel = (typeof thinkingLevels)[number]
