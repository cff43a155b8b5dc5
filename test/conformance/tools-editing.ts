// The promises of the tools that change files.
import type { Section } from './chapter.ts'

export const toolsEditing: readonly Section[] = [
  {
    id: 'TOOLS-edit',
    about: 'Changing files.',
    cases: {
      'TOOLS-edit-locks':
        'Two calls that change one real file never interleave, through links and dots, across sessions of a server too; they take turns in order, and a cancelled one leaves no trace.',
      'TOOLS-edit-hashline':
        '`hashline_edit` applies all edits by anchors or none. Identity is the stored content of the shown version, never the short hash. The store is bounded.',
      'TOOLS-edit-drift':
        'In a file that has changed, an edit by anchors applies only where its place is certain; 100,000 random changes lead to no wrong write. Otherwise the result has fresh anchors.',
      'TOOLS-edit-lenient':
        '`edit` matches apart from trailing blanks, smart quotes, dashes and Unicode forms if that match is unique; the result says so, and every other byte stays.',
      'TOOLS-edit-stale':
        'A file that changed since the model read it is not overwritten by `write`; `edit` says what changed. Own changes do not count.',
    },
  },
]
