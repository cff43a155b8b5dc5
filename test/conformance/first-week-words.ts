// The wordings, lists and mentions that a person meets in the first week.
import type { Section } from './chapter.ts'

export const firstWeekWords: readonly Section[] = [
  {
    id: 'FIRST',
    about: 'Plain words for faults.',
    cases: {
      'FIRST-words':
        'No message has the words of Node, of the system or of the validator; `data.errno` keeps the code.',
      'FIRST-nearest': 'An unknown option, command, setting, session or file is refused with the nearest known name.',
      'FIRST-mention':
        '`@file` sends a file and `@folder/` lists a folder; a missing file is named; a mention stands once, also in tree and export.',
      'FIRST-lists':
        '`/resume` lists no empty session, shows last words, puts branches under their parent, renames and deletes; `-r` opens none of its own.',
      'FIRST-results':
        'Undo, stop, crash, an empty account and an unreachable server say what happened and what to do.',
      'FIRST-picture': 'The README begins with a recording of a real run: a question, a change, its diff and `/undo`.',
    },
  },
]
