// The promises of the tools that search and list.
import type { Section } from './chapter.ts'

export const toolsSearch: readonly Section[] = [
  {
    id: 'TOOLS-search',
    about: 'Searching and listing.',
    cases: {
      'TOOLS-search-grep':
        '`grep` shows `path:line: text`, sorted, without what .gitignore names. Without ripgrep, plain Node gives the same results.',
      'TOOLS-search-find':
        '`find` matches globs against files and folders, sorted, without what .gitignore names; both engines find the same paths.',
      'TOOLS-search-ls': '`ls` lists a folder and says which entries .gitignore names.',
      'TOOLS-search-read':
        '`read` lists a folder in pages, and shows the cells of a notebook; each cut names how to continue.',
      'TOOLS-search-limits': 'Each limit of number, bytes, line length or time is reported, with a way to continue.',
      'TOOLS-search-faults':
        'A missing path, a pipe, a device, an invalid pattern, a link loop, an odd name or an unreadable file never blocks a search: each has its result.',
    },
  },
]
