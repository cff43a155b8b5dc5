// The promises of the tools that talk to the person.
import type { Section } from './chapter.ts'

export const toolsTalk: readonly Section[] = [
  {
    id: 'TOOLS-talk',
    about: 'The tools that are active by default, plans and questions.',
    cases: {
      'TOOLS-talk-active':
        'Ten tools are active by default; with `use_tool` and the system prompt, the first request takes at most 5.7 kB in an empty folder.',
      'TOOLS-talk-todo': '`todo` replaces the plan of the session with one `plan_update`; each item has an id.',
      'TOOLS-talk-ask':
        '`ask` returns what the person answered, and says so if nobody can answer. Unsubscribing takes the question back.',
    },
  },
]
