// Whoever reads our own files again says himself what is wrong with a text that is no JSON.

/** What the text, or its bytes in UTF-8, holds; undefined where it is no JSON, or too long for a string. */
export function parsedJson(text: string | Buffer): unknown {
  try {
    return JSON.parse(text.toString())
  } catch {
    return undefined // told by the caller, or looked for elsewhere
  }
}
