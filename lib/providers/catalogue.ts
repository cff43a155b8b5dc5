// Models whose window, limits and prices are known; any other id is taken as it is, with nothing claimed of it.
//
// Source of OpenAI's: the vendor's model and pricing pages (developers.openai.com/api/docs/models and …/pricing), as read in November 2026
// through public copies of them. Requests of more than 272,000 tokens cost more, which one price per kind cannot say: the
// windows of the models whose own window is larger (1,050,000) end there.
import { anthropicFamilies, anthropicModels } from './catalogue-anthropic.ts'
import { googleFamilies, googleModels } from './catalogue-google.ts'
import { mannersOf } from './catalogue-entry.ts'
import type { CatalogueEntry, CatalogueFamily } from './catalogue-entry.ts'

const standardWindow = 272_000
const words = { low: 'low', medium: 'medium', high: 'high' }
const allWords = { off: 'none', minimal: 'low', ...words, xhigh: 'xhigh' }

/** Takes tools in a chat completion only without thinking, and has to be told so. */
const thinksWithoutTools: CatalogueEntry = {
  contextWindow: standardWindow,
  maxOutput: 128_000,
  inputs: ['text', 'image'],
  reasoning: true,
  compat: {
    'openai-completions': { effort: allWords, effortWithTools: 'none' },
    'openai-responses': { effort: allWords },
  },
}
/** The same, but the effort must not be named beside tools. */
const unnamedEffort: CatalogueEntry = {
  ...thinksWithoutTools,
  compat: {
    'openai-completions': { effort: { minimal: 'low', ...words, xhigh: 'xhigh' }, effortWithTools: 'omit' },
    'openai-responses': { effort: allWords },
  },
}

const models: Readonly<Record<string, CatalogueEntry>> = {
  ...anthropicModels,
  ...googleModels,
  'openai/gpt-6-sol': { ...thinksWithoutTools, prices: { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 } },
  'openai/gpt-6-luna': {
    ...thinksWithoutTools,
    prices: { input: 0.1, output: 0.5, cacheRead: 0.01, cacheWrite: 0.125 },
  },
  'openai/gpt-5.4': { ...unnamedEffort, prices: { input: 2.5, output: 15, cacheRead: 0.25 } },
  'openai/gpt-5.4-mini': { ...unnamedEffort, prices: { input: 0.75, output: 4.5, cacheRead: 0.075 } },
  'openai/gpt-5.1': {
    contextWindow: 400_000,
    maxOutput: 128_000,
    inputs: ['text', 'image'],
    reasoning: true,
    prices: { input: 1.25, output: 10, cacheRead: 0.125 },
    compat: {
      'openai-completions': { effort: { minimal: 'low', ...words, xhigh: 'high' } },
      'openai-responses': { effort: { off: 'none', minimal: 'low', ...words, xhigh: 'high' } },
    },
  },
}

/** Dated and newer members of a family that is known: its manners, none of its numbers. */
const families: readonly CatalogueFamily[] = [
  ...anthropicFamilies,
  ...googleFamilies,
  { pattern: /^openai\/gpt-(5\.6|6)(-|$)/, entry: mannersOf(thinksWithoutTools) },
  { pattern: /^openai\/gpt-5\.[245](-|$)/, entry: mannersOf(unnamedEffort) },
  { pattern: /^openai\/(gpt-5|o[134])(-|$)/, entry: { reasoning: true, inputs: ['text', 'image'] } },
]

/** What is known of `provider/id`, its family's manners, or undefined. */
export function catalogueEntry(name: string): CatalogueEntry | undefined {
  return (
    (Object.hasOwn(models, name) ? models[name] : undefined) ??
    families.find(({ pattern }) => pattern.test(name))?.entry
  )
}

/** The names of all models in the catalogue. */
export const catalogueNames: readonly string[] = Object.keys(models)
