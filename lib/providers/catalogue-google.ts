// Google's models: how each generation is asked to think, and for some of the current ones window, limits and prices.
//
// Source: the vendor's pages (ai.google.dev/gemini-api/docs: models, thinking, thought signatures, pricing), as read in November 2026
// through public copies of them. gemini-4-argon has the price that it has from December 2026 on; before, it is half of that.
import { mannersOf } from './catalogue-entry.ts'
import type { CatalogueEntry, CatalogueFamily } from './catalogue-entry.ts'
import type { GoogleCompat } from './google-compat.ts'

function gemini(compat: Partial<GoogleCompat>, known: Partial<CatalogueEntry> = {}): CatalogueEntry {
  const both = { 'google-generative-ai': compat, 'google-vertex': compat }
  return { inputs: ['text', 'image'], reasoning: true, ...known, compat: both }
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

const large = { contextWindow: 1_048_576, maxOutput: 65_536 }

export const googleModels: Readonly<Record<string, CatalogueEntry>> = {
  'google/gemini-4-argon': gemini(always, { ...large, prices: { input: 4, output: 20, cacheRead: 0.2 } }),
  'google/gemini-3.5-flash': gemini(flash, { ...large, prices: { input: 1.5, output: 9, cacheRead: 0.15 } }),
  'google/gemini-3-flash-preview': gemini(flash, { ...large, prices: { input: 0.5, output: 3, cacheRead: 0.05 } }),
}

/** The first that fits counts. */
export const googleFamilies: readonly CatalogueFamily[] = [
  { pattern: /^google\/gemini-3-pro(-|$)/, entry: mannersOf(gemini(twoLevels)) },
  { pattern: /^google\/gemini-3(\.\d+)?-flash(-|$)/, entry: mannersOf(gemini(flash)) },
  { pattern: /^google\/gemini-(3\.\d+|[4-9](\.\d+)?)-/, entry: mannersOf(gemini(always)) },
  { pattern: /^google\/gemini-2\.5-pro(-|$)/, entry: mannersOf(gemini(secondPro)) },
  { pattern: /^google\/gemini-2\.5-/, entry: mannersOf(gemini(secondFlash)) },
]
