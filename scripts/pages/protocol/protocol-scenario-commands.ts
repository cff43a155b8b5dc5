// Texts of the protocol page: the commands about scenarios.
import { session } from './protocol-samples.ts'
import type { CommandGroup } from './protocol-note.ts'

export const scenarioCommandGroups: readonly CommandGroup[] = [
  { title: 'Scenarios', commands: {
  list_scenarios: {
    does: 'Returns the scenarios that an open session can take: those of the user, of rxpi, of installed packages, and of a trusted project. The files are read now. `problems` names files that declare no scenario (`level: error`), and files that declare one with a fault (`warning`). See [scenarios](scenarios.md).',
    errors: ['unknown_session'],
    ask: { session },
    answer: {
      scenarios: [
        {
          name: 'plan',
          description: 'plan without changing anything, then build what you accepted',
          source: 'built-in',
          start: 'plan',
          phases: [
            { name: 'plan', description: 'reading only', readOnly: true },
            { name: 'build', readOnly: false },
          ],
        },
      ],
      problems: [],
    },
  },
  set_scenario_phase: {
    does: 'Enters a phase of a scenario; a phase restricts calls from the next decision on. `scenario: null` leaves the scenario; without `scenario` it is the current one, and without `phase` the first phase. An unknown scenario, phase or model is a `bad_request` that lists the known names; so is a session without a policy. A phase with a model also sets the model; a phase without one, and leaving the scenario, give the session its own model back. The response has the phase that is now active.',
    errors: ['unknown_session', 'read_only', 'storage'],
    ask: { session, scenario: 'plan' },
    answer: { scenario: 'plan', phase: 'plan' },
  },
  } },
]
