// What the room of context gives to the session.
export { systemPrompt } from './prompt/system-prompt.ts'
