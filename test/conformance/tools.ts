// The chapter of the tools.
import type { Chapter } from './chapter.ts'
import { jobs } from './jobs.ts'
import { toolScreens } from './tool-screens.ts'
import { toolsEditing } from './tools-editing.ts'
import { toolsFaults } from './tools-faults.ts'
import { toolsSearch } from './tools-search.ts'
import { toolsTalk } from './tools-talk.ts'

export const tools: Chapter = {
  title: 'The tools',
  about: '[tools.md](tools.md) describes the tools.',
  sections: [...toolsEditing, ...toolsSearch, ...jobs, ...toolsTalk, ...toolsFaults, ...toolScreens],
}
