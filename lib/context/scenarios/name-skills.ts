// Adds the skills of a phase to what the model gets when the phase begins.
import type { CommandProblem, PromptCommand } from '../../streams/ports/prompt-commands.ts'
import type { Scenario, ScenarioList, ScenarioPhase } from '../../streams/ports/scenarios.ts'
import { didYouMean } from '../../streams/values/nearest-name.ts'

const prefix = 'skill:'

/** A skill that is not there is a warning, and the phase goes without it. */
export function nameSkills({ scenarios, problems }: ScenarioList, commands: readonly PromptCommand[]): ScenarioList {
  const skills = new Map(
    commands.flatMap(({ name, path }) =>
      name.startsWith(prefix) && path !== undefined ? [[name.slice(prefix.length), path] as const] : [],
    ),
  )
  return {
    scenarios: scenarios.map((scenario) => ({
      ...scenario,
      phases: scenario.phases.map((phase) => withSkills(phase, skills)),
    })),
    problems: [...problems, ...scenarios.flatMap((scenario) => missingSkills(scenario, skills))],
  }
}

function withSkills(phase: ScenarioPhase, skills: ReadonlyMap<string, string>): ScenarioPhase {
  const known = (phase.skills ?? []).filter((name) => skills.has(name))
  if (known.length === 0) return phase
  const names = known.map((name) => `- ${name} (${skills.get(name) ?? ''})`)
  const text = ['Read these skills before you go on, and follow them:', ...names].join('\n')
  return { ...phase, prompt: [phase.prompt, text].filter((part) => part !== undefined).join('\n\n') }
}

function missingSkills({ path, phases }: Scenario, skills: ReadonlyMap<string, string>): readonly CommandProblem[] {
  if (path === undefined) return []
  return phases.flatMap((phase, index) =>
    (phase.skills ?? [])
      .filter((name) => !skills.has(name))
      .map((name) => ({
        path,
        level: 'warning' as const,
        message: `phases[${index}].skills names no skill: ${name}${didYouMean(name, [...skills.keys()])}`,
      })),
  )
}
