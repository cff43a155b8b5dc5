// How Google's models differ is data (`lib/streams`), never a question after their name.
import type { GoogleCompat } from '../../streams/models/api-compat.ts'

export type { GoogleCompat }

/** What Gemini 2.5 and most endpoints take. */
export const defaultGoogleCompat: GoogleCompat = {
  thinking: 'budget',
  budgets: { off: 0, minimal: 1024, low: 2048, medium: 8192, high: 16_384, xhigh: 24_576 },
  levels: { off: 'minimal', minimal: 'minimal', low: 'low', medium: 'medium', high: 'high', xhigh: 'high' },
  signedCalls: false,
  callIds: true,
  imagesInResults: false,
  streamArguments: false,
}
