// The promises about faults of files, folders and commands.
import type { Section } from './chapter.ts'

export const toolsFaults: readonly Section[] = [
  {
    id: 'TOOLS-faults',
    about: '[faults.md](faults.md) lists the faults and their results.',
    cases: {
      'TOOLS-faults-files':
        'Pipes, devices, sockets, loops of links, unreadable, vanishing and huge files, bytes that are not UTF-8 and a full disk: each has its result, no call hangs, and no old content is lost.',
      'TOOLS-faults-folders':
        'A folder of 10⁶ files is listed and searched in flat memory; a shown name reads back as the name; a .gitignore without end or a killed ripgrep neither fills the memory nor loses matches silently.',
      'TOOLS-faults-commands':
        'Output without end and a fork storm end with the time limit of the command, in bounded memory and disk, and leave no process.',
    },
  },
]
