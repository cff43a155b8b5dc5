// Which model answers: what is remembered, what a session without a model does, and the order of choice.
import type { Section } from './chapter.ts'

export const firstWeekModels: readonly Section[] = [
  {
    id: 'MODEL',
    about: 'The model that answers.',
    cases: {
      'MODEL-remembered':
        'A model of one command is not remembered; one that a person chose in a UI or in the settings is, once it has answered.',
      'MODEL-none':
        'Without a usable model a session opens with `model: null` and can be read; what needs a model fails with `no_model`, and `-p` exits with 2.',
      'MODEL-demo': 'The demo model answers by its name, under `npm start`, and in a UI until a model was usable.',
      'MODEL-order':
        'Option, environment, settings, last choice, models.json, local endpoint, keys by vendor; the notice and the doctor name the source.',
      'MODEL-reread': '`models.json` is read again when a model is chosen.',
      'MODEL-footer': 'The footer shows the model of the active run, also after coming back to it.',
    },
  },
]
