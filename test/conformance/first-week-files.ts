// The files that a person imports and that tools write in the first week.
import type { Section } from './chapter.ts'

export const firstWeekFiles: readonly Section[] = [
  {
    id: 'FILES',
    about: 'Files.',
    cases: {
      'FILES-import': 'An import reads byte order marks and the title slot of omp; a killed one leaves no session.',
      'FILES-tree':
        'An entry that is its own parent, one that stands behind its child (each cycle has one), and an id that stands twice are damage, under right checksums too.',
      'FILES-write':
        '`write` drops setuid and setgid bits, says when it parts a hard link, and lets others run while it writes 12 MB.',
      'FILES-large': 'A process opens a log of 348 MB within 300 MiB of memory.',
    },
  },
]
