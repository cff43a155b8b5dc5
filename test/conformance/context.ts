// The promises about what a model is told: the system prompt and what is added to it.
import type { Chapter, Section } from './chapter.ts'

const prompt: Section = {
  id: 'CONTEXT-prompt',
  about: 'The system prompt consists of named sections in a fixed order.',
  cases: {
    'CONTEXT-prompt-sections': 'The sections stand in a fixed order; an empty one leaves no trace.',
    'CONTEXT-prompt-changes':
      '`promptSection` replaces, extends, adds and removes a section; a session applies it once for a list of tools.',
    'CONTEXT-prompt-files':
      '`SYSTEM.md` and `APPEND_SYSTEM.md` of the user’s folder replace and extend; those of a project are not read.',
    'CONTEXT-prompt-whole': '`system` is the whole prompt; only `appendSystem` is added to it.',
    'CONTEXT-prompt-stable': 'The system prompt has the same bytes in each request of a session, also after midnight.',
  },
}

export const context: Chapter = {
  title: 'What the model is told',
  about: 'docs/context.md describes it.',
  sections: [prompt],
}
