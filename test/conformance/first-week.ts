// The chapter of a person's first week: nothing that trips them up.
import type { Chapter } from './chapter.ts'
import { firstWeekModels } from './first-week-models.ts'
import { firstWeekScreens } from './first-week-screens.ts'
import { firstWeekFiles } from './first-week-files.ts'
import { firstWeekWords } from './first-week-words.ts'

export const firstWeek: Chapter = {
  title: 'The first week',
  about: 'What a person meets first. [terminal.md](terminal.md) describes the terminal UI.',
  sections: [...firstWeekModels, ...firstWeekScreens, ...firstWeekWords, ...firstWeekFiles],
}
