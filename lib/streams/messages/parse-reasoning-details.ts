// Reads the details of an answer's reasoning, the signature of a thinking block (OpenRouter).

/** The details in the signature of a thinking block; undefined for another signature, such as the name of a field. */
export function parseReasoningDetails(signature: string): readonly unknown[] | undefined {
  if (!signature.startsWith('[')) return undefined
  try {
    const details: unknown = JSON.parse(signature)
    return Array.isArray(details) ? (details as readonly unknown[]) : undefined
  } catch {
    return undefined // of a log that another program wrote
  }
}
