// A body that is read as one text is read up to a limit and no further.

export interface BoundedText {
  readonly text: string
  /** False where the body went on; it was cancelled. */
  readonly whole: boolean
}

/**
 * Reads at most `limit` bytes, a chunk more or less, as UTF-8, and cancels what is left. A missing body is ''. An abort of
 * `signal` cancels the body while it is waited for; what was read is given then, and nobody should look at it.
 */
export async function boundedText(response: Response, limit: number, signal?: AbortSignal): Promise<BoundedText> {
  if (response.body === null) return { text: '', whole: true }
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader()
  signal?.addEventListener('abort', () => void reader.cancel().catch(() => undefined), { once: true })
  const decoder = new TextDecoder()
  const pieces: string[] = []
  let bytes = 0
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    pieces.push(decoder.decode(step.value, { stream: true }))
    bytes += step.value.length
    if (bytes <= limit) continue
    await reader.cancel()
    return { text: pieces.join(''), whole: false }
  }
  return { text: pieces.join('') + decoder.decode(), whole: true }
}
