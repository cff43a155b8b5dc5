// Adds the requested JSON schema of the answer to the system prompt.
// It does so whatever the provider's API supports beside that.

/** A JSON Schema, as a plain object. */
export type OutputSchema = Readonly<Record<string, unknown>>

/** The end of the system prompt: the last answer must be one JSON document of this schema. */
export function outputInstruction(schema: OutputSchema): string {
  return [
    'Your final answer is read by a program. When your work is done, answer with one JSON document and nothing else:',
    'no words before or after it, no code fence. It must be valid against this JSON Schema:',
    JSON.stringify(schema),
  ].join('\n')
}
