// Exports the context room for the session.
export { buildSections } from './prompt/build-sections.ts'
export { addProjectPrompts, readPromptFiles } from './prompt/prompt-files.ts'
export type { PromptFiles } from './prompt/prompt-files.ts'
