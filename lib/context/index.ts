// What the room of context gives to the session.
export { systemPrompt } from './system-prompt.ts'
