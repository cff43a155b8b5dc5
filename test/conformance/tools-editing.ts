// The promises of the tools that change files.
import type { Section } from './chapter.ts'

export const toolsEditing: readonly Section[] = [
  {
    id: 'TOOLS-edit',
    about: 'Changing files.',
    cases: {
      'TOOLS-edit-locks':
        'Two calls that change one real file never interleave, through links and dots, across sessions of a server too; they take turns in order, and a cancelled one leaves no trace.',
      'TOOLS-edit-stale':
        'A file that changed since the model read it is not overwritten by `write`; `edit` says what changed. Own changes do not count.',
    },
  },
]
