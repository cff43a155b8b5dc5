// Collects the `reasoning_details` of an answer, which OpenRouter expects back unchanged.
// They are signed text, summaries and encrypted reasoning. Without them Gemini refuses the result of a call.
// Source: OpenRouter's guide on reasoning tokens, "Preserving reasoning".
import { isObject } from '../../http/json-field.ts'

type Detail = Record<string, unknown>

/** Buffers the details of one answer. */
export interface ReasoningDetails {
  /** Takes the field of one delta. Ignores what is not a list of objects. */
  read(details: unknown): void
  /** The list as JSON; undefined if the answer has no detail, or more than 16 Mi UTF-16 units of them. */
  json(): string | undefined
}

const maxLength = 16_777_216

/** The field with the text, by the type of a detail; pieces of it come in several deltas. */
const textFields: Readonly<Record<string, string>> = { 'reasoning.text': 'text', 'reasoning.summary': 'summary' }

export function collectReasoningDetails(): ReasoningDetails {
  let collected: Detail[] = []
  let length = 0
  return {
    read: (details) => {
      if (!Array.isArray(details) || length > maxLength) return
      for (const detail of details as unknown[]) {
        if (!isObject(detail)) continue
        length += JSON.stringify(detail).length
        const last = collected.at(-1)
        if (last !== undefined && continues(detail, last)) append(last, detail)
        else collected.push({ ...detail })
      }
      if (length > maxLength) collected = []
    },
    json: () => (collected.length === 0 ? undefined : JSON.stringify(collected)),
  }
}

function continues({ type, index }: Readonly<Detail>, last: Readonly<Detail>): boolean {
  return typeof type === 'string' && Object.hasOwn(textFields, type) && type === last['type'] && index === last['index']
}

/** The signature comes with the last piece; a field without a value changes nothing. Costs the length of the piece. */
function append(last: Detail, piece: Readonly<Detail>): void {
  const field = textFields[String(piece['type'])]
  for (const [name, value] of Object.entries(piece)) {
    const before = last[name]
    if (name === field && typeof before === 'string' && typeof value === 'string') last[name] = before + value
    else if (value !== null && value !== undefined) last[name] = value
  }
}
