// The keys and screens of the terminal UI, and what stops and leaves a run.
import type { Section } from './chapter.ts'

export const firstWeekScreens: readonly Section[] = [
  {
    id: 'KEYS',
    about: 'Keys that stop and leave.',
    cases: {
      'KEYS-ctrlc': 'Ctrl-C stops a run, like Esc, and keeps the text; again leaves.',
      'KEYS-leave': 'Leaving with an active run asks: stop it, let it go on in the server, or stay.',
      'KEYS-abort':
        '`rxpi abort SESSION` stops the run of a session at its server, from any terminal, or names the process of `rxpi -p` that has it.',
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
      'SCREEN-keys': '`?` on an empty line shows the keys on one screen.',
      'SCREEN-help': '`/help` is ordered by use and fits 60 columns.',
      'SCREEN-completion': 'Completion shows commands by use, and exact prefixes first.',
      'SCREEN-history': 'Ctrl-R searches the history.',
      'SCREEN-copy': '`/copy` sends the last answer to the clipboard of the terminal, and says under which condition.',
      'SCREEN-first':
        'The first screen names version, model, source of its key, folder, rights of tools and how to stop; `/status` names the server.',
      'SCREEN-bash': 'Shell commands have colours.',
    },
  },
]
