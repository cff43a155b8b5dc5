// Google's models: how each generation is asked to think.
//
// Source: the vendor's pages (ai.google.dev/gemini-api/docs: models, thinking, thought signatures), as read in November 2026
// through public copies of them.
import type { CatalogueFamily, FamilyManners } from './catalogue-entry.ts'
import type { GoogleCompat } from '../google/google-compat.ts'

function gemini(compat: Partial<GoogleCompat>): FamilyManners {
  const both = { 'google-generative-ai': compat, 'google-vertex': compat }
  return { inputs: ['text', 'image'], reasoning: true, compat: both }
}

const words = { low: 'low', medium: 'medium', high: 'high', xhigh: 'high' } as const
const third = { thinking: 'level', signedCalls: true, imagesInResults: true } as const
/** Can think next to nothing. */
const flash = { ...third, levels: { off: 'minimal', minimal: 'minimal', ...words } } as const
/** Thinks always. */
const always = { ...third, levels: { off: 'low', minimal: 'low', ...words } } as const
const twoLevels = { ...third, levels: { ...always.levels, medium: 'high' } } as const

const budgets = { minimal: 1024, low: 2048, medium: 8192, high: 16_384 }
const secondPro = { budgets: { off: 128, ...budgets, xhigh: 32_768 } } as const
const secondFlash = { budgets: { off: 0, ...budgets, xhigh: 24_576 } } as const

/** The first that fits counts. */
export const googleFamilies: readonly CatalogueFamily[] = [
  { pattern: /^google\/gemini-3-pro(-|$)/, entry: gemini(twoLevels) },
  { pattern: /^google\/gemini-3(\.\d+)?-flash(-|$)/, entry: gemini(flash) },
  { pattern: /^google\/gemini-(3\.\d+|[4-9](\.\d+)?)-/, entry: gemini(always) },
  { pattern: /^google\/gemini-2\.5-pro(-|$)/, entry: gemini(secondPro) },
  { pattern: /^google\/gemini-2\.5-/, entry: gemini(secondFlash) },
]
