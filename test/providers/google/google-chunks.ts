// Builds chunks of Google's API, as small as the format allows.

type Fields = Readonly<Record<string, unknown>>

/** One chunk with these parts; `more` are fields of the candidate. */
export function chunk(parts: readonly Fields[], more: Fields = {}): string {
  return frame({
    responseId: 'resp_1',
    modelVersion: 'served',
    candidates: [{ content: { role: 'model', parts }, ...more }],
  })
}

/** A piece of a call; its arguments have JSON paths. */
export function callPiece(call: Fields): string {
  return chunk([{ functionCall: call }])
}

export const usage = { promptTokenCount: 3, candidatesTokenCount: 4, totalTokenCount: 7 }

/** The regular end of an answer. */
export function lastChunk(finishReason = 'STOP', parts: readonly Fields[] = [], more: Fields = {}): string {
  const candidates = [{ content: { role: 'model', parts }, finishReason, ...more }]
  return frame({ responseId: 'resp_1', modelVersion: 'served', candidates, usageMetadata: usage })
}

export function frame(value: object): string {
  return `data: ${JSON.stringify(value)}\r\n\r\n`
}
