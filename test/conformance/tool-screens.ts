// What the terminal UI shows of tools: the plan, jobs, outputs and questions.
import type { Section } from './chapter.ts'

export const toolScreens: readonly Section[] = [
  {
    id: 'PANEL',
    about: 'Tools in the terminal UI.',
    cases: {
      'PANEL-plan':
        'The plan is a panel: the current step and its neighbours fit the terminal, `/todo` shows every step.',
      'PANEL-jobs': 'Running jobs are a panel with their time; `/jobs` reads the output of each and ends it by a key.',
      'PANEL-output': 'A folded output names the key that opens it whole on a page that scrolls.',
      'PANEL-compaction':
        'A compaction shows its progress, Esc stops it, and its end says what was summarised and saved; both can be looked at and undone.',
      'PANEL-time': 'The status row shows what runs and for how long.',
      'PANEL-size': 'Panels, queue and editor fit 60 by 20 cells.',
    },
  },
  {
    id: 'APPROVE',
    about: 'Approvals in the terminal UI.',
    cases: {
      'APPROVE-keys':
        'Keys answer: once, for this session, always for a pattern that can be edited first, no, no with a word to the model.',
      'APPROVE-diff': 'The change of a file is shown as a diff with the name of the file, or as its new content.',
      'APPROVE-together': 'Several open approvals are answered one by one, or together after all of them were shown.',
      'APPROVE-size': 'An approval fits 60 by 20 cells and scrolls.',
    },
  },
]
