// Exports the context room for the session.
export { systemPrompt } from './prompt/system-prompt.ts'
