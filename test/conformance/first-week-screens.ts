// The keys and screens of the terminal UI, and what stops and leaves a run.
import type { Section } from './chapter.ts'

export const firstWeekScreens: readonly Section[] = [
  {
    id: 'KEYS',
    about: 'Keys that stop and leave.',
    cases: {
      'KEYS-ctrlc': 'Ctrl-C stops a run, like Esc, and keeps the text; again leaves.',
      'KEYS-leave': 'Leaving with an active run asks: stop it, let it go on in the server, or stay.',
      'KEYS-abort': '`rxpi abort SESSION` stops the run of a session at the server, from any terminal.',
      'KEYS-print': 'An interrupted `-p` prints the part of the answer that is there.',
      'KEYS-exit': 'The word `exit` alone leaves.',
    },
  },
  {
    id: 'SCREEN',
    about: 'What the terminal UI shows.',
    cases: {
      'SCREEN-row': 'One status row shows the state of a run, its seconds and the keys that matter now.',
      'SCREEN-end': 'A run ends with a line: time, changed files, cost.',
      'SCREEN-words': 'The words of the person have a background of their own.',
      'SCREEN-rules': 'A rule stands above and below the editor.',
      'SCREEN-changed': 'Inside a changed line, the changed words are marked.',
      'SCREEN-bash': 'Shell commands have colours.',
    },
  },
]
