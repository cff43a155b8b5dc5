// OpenAI's models: how each generation is asked to think, on both of its wires.
//
// Source: the vendor's model pages (developers.openai.com/api/docs/models), as read in November 2026 through public copies of them.
import type { CatalogueFamily, FamilyManners } from './catalogue-entry.ts'

const words = { low: 'low', medium: 'medium', high: 'high' }
const allWords = { off: 'none', minimal: 'low', ...words, xhigh: 'xhigh' }
const known = { inputs: ['text', 'image'], reasoning: true } satisfies FamilyManners

/** Takes tools in a chat completion only without thinking, and has to be told so. */
const thinksWithoutTools: FamilyManners = {
  ...known,
  compat: {
    'openai-completions': { effort: allWords, effortWithTools: 'none' },
    'openai-responses': { effort: allWords },
  },
}
/** The same, but the effort must not be named beside tools. */
const unnamedEffort: FamilyManners = {
  ...known,
  compat: {
    'openai-completions': { effort: { minimal: 'low', ...words, xhigh: 'xhigh' }, effortWithTools: 'omit' },
    'openai-responses': { effort: allWords },
  },
}
const first: FamilyManners = {
  ...known,
  compat: {
    'openai-completions': { effort: { minimal: 'low', ...words, xhigh: 'high' } },
    'openai-responses': { effort: { off: 'none', minimal: 'low', ...words, xhigh: 'high' } },
  },
}

/** The first that fits counts. */
export const openAiFamilies: readonly CatalogueFamily[] = [
  { pattern: /^openai\/gpt-(5\.6|6(\.\d+)?)(-|$)/, entry: thinksWithoutTools },
  { pattern: /^openai\/gpt-5\.[245](-|$)/, entry: unnamedEffort },
  { pattern: /^openai\/gpt-5\.1(-|$)/, entry: first },
  { pattern: /^openai\/(gpt-5|o[134])(-|$)/, entry: known },
]
