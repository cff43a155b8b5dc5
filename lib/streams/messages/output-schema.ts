// An answer that a program reads has a schema: the model is told it in words, whatever its wire can be told beside that.

/** A JSON Schema, as a plain object. */
export type OutputSchema = Readonly<Record<string, unknown>>

/** What the system prompt ends with: the last answer is one JSON document that fits. */
export function outputInstruction(schema: OutputSchema): string {
  return [
    'Your final answer is read by a program. When your work is done, answer with one JSON document and nothing else:',
    'no words before or after it, no code fence. It must be valid against this JSON Schema:',
    JSON.stringify(schema),
  ].join('\n')
}
