// Exports the room of context.
export { systemPrompt } from './prompt/system-prompt.ts'
