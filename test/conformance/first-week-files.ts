// The files that a person imports and that tools write in the first week.
import type { Section } from './chapter.ts'

export const firstWeekFiles: readonly Section[] = [
  {
    id: 'FIRST-files',
    about: 'Files.',
    cases: {
      'FIRST-import': 'An import reads byte order marks and the title slot of omp; a killed one leaves no session.',
    },
  },
]
