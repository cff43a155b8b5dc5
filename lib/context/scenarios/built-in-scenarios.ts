// The scenarios that come with rxpi: plan, then build.
import type { Scenario } from '../../streams/ports/scenarios.ts'

const planPrompt = `You are planning. Nothing may be changed yet: only reading and commands that change nothing run.
Read what you need, and ask the user what the code cannot answer. Then call propose_plan with the whole plan: the goal, the
files to change and how, the order, how to test it, and what is open. The user accepts it, changes it or says what is missing.`

const buildPrompt =
  'The planning is over. Carry out the accepted plan, test what you changed, and say what differs from the plan.'

export const builtInScenarios: readonly Scenario[] = [
  {
    name: 'plan',
    description: 'plan without changing anything, then build what you accepted',
    source: 'built-in',
    start: 'plan',
    phases: [
      {
        name: 'plan',
        description: 'reading only; ends with a plan that you accept',
        prompt: planPrompt,
        readOnly: true,
        transitions: [{ to: 'build', on: 'plan_accepted' }],
      },
      { name: 'build', description: 'carry out the plan', prompt: buildPrompt, transitions: [] },
    ],
  },
]
