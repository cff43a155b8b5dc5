// Texts of the protocol page: the commands about scenarios.
import { session } from './protocol-samples.ts'
import type { CommandGroup } from './protocol-note.ts'

export const scenarioCommandGroups: readonly CommandGroup[] = [
  { title: 'Scenarios', commands: {
  list_scenarios: {
    does: 'Returns the scenarios that an open session can take: those of the user, of rxpi, and of a trusted project. The files are read now. `problems` names files that declare none (`level: error`), or not quite the one that was meant (`warning`). See [scenarios](scenarios.md).',
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
    does: 'Enters a phase of a scenario; a phase restricts calls from the next decision on. `scenario: null` leaves the scenario; without `scenario` it is the present one, and without `phase` the first phase. Scenario, phase or model that are not there are a `bad_request` that lists the names; so is a session without a policy. A phase with a model also sets that. The response has the phase that holds.',
    errors: ['unknown_session', 'read_only', 'storage'],
    ask: { session, scenario: 'plan' },
    answer: { scenario: 'plan', phase: 'plan' },
  },
  } },
]
