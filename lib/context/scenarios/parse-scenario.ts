// Reads a scenario file: JSON or YAML, checked field by field.
// Guarantees: values are data; a file that is not valid declares nothing, and its problem names the field.
import path from 'node:path'
import { describeJsonFault } from '../../streams/values/json-fault.ts'
import type { CommandProblem } from '../../streams/ports/prompt-commands.ts'
import type { PhaseTransition, Scenario, ScenarioPhase } from '../../streams/ports/scenarios.ts'
import type { ScenarioFile } from '../../streams/ports/scenario-file.ts'
import { keyPath } from '../../streams/schema/lenient-check.ts'
import { modelRoles } from '../../streams/config/model-roles.ts'
import { didYouMean } from '../../streams/values/nearest-name.ts'
import { checkWrittenScenario } from '../../streams/validation/file-validators.ts'
import type { ParseYaml } from '../files/frontmatter.ts'

export interface ParsedScenario {
  /** Absent: the file declares none, and a problem says why. */
  readonly scenario?: Scenario
  readonly problems: readonly CommandProblem[]
}

export interface ScenarioSource {
  /** Absolute. */
  readonly path: string
  readonly source: 'user' | 'project' | 'package'
}

/** Names end with `.json`, `.yaml` or `.yml`. */
export const scenarioExtensions: readonly string[] = ['.json', '.yaml', '.yml']

type WrittenPhase = ScenarioFile['phases'][number]

export function parseScenario(file: ScenarioSource, text: string, parseYaml: ParseYaml): ParsedScenario {
  const error = (message: string): ParsedScenario => ({ problems: [{ path: file.path, level: 'error', message }] })
  const parsed = parseText(file.path, text, parseYaml)
  if ('problem' in parsed) return error(parsed.problem)
  const checked = checkWrittenScenario(parsed.value)
  if (!checked.ok) return error(checked.problem)
  const { value: written, unknown } = checked.value
  const fault = faultOf(written)
  if (fault !== undefined) return error(fault)
  const name = written.name ?? path.basename(file.path, path.extname(file.path))
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(name))
    return error(`its name "${name}" has other characters than a-z, 0-9, _ and -; add the field name`)
  return {
    scenario: scenarioOf(written, name, file),
    problems: unknown.map(({ path: keys, key, near }) => ({
      path: file.path,
      level: 'warning',
      message: `${keyPath([...keys, key])} is unknown and ignored${near === undefined ? '' : `; did you mean ${near}?`}`,
    })),
  }
}

function parseText(
  file: string,
  text: string,
  parseYaml: ParseYaml,
): { readonly value: unknown } | { readonly problem: string } {
  if (path.extname(file) === '.json') {
    try {
      return { value: JSON.parse(text) }
    } catch {
      return { problem: `it is not valid JSON: ${describeJsonFault(text)}` }
    }
  }
  try {
    return { value: parseYaml(text) }
  } catch (error) {
    const [line = ''] = String(error instanceof Error ? error.message : error).split('\n', 1)
    return { problem: `it is not valid YAML: ${line}` }
  }
}

/** Checks what no schema can express: names that refer to other names. */
function faultOf({ phases, start }: ScenarioFile): string | undefined {
  const names = phases.map(({ name }) => name)
  const repeated = names.find((name, index) => names.indexOf(name) < index)
  if (repeated !== undefined) return `two phases are called ${repeated}; give each its own name`
  if (start !== undefined && !names.includes(start)) return `start names no phase: ${start}${didYouMean(start, names)}`
  for (const [index, { transitions = [], model }] of phases.entries()) {
    const role = model?.startsWith('@') === true ? model.slice(1) : undefined
    if (role !== undefined && !modelRoles.some((each) => each === role))
      return `phases[${index}].model names no role: @${role}${didYouMean(role, modelRoles) || `; the roles are ${modelRoles.join(', ')}`}`
    for (const [position, transition] of transitions.entries()) {
      const field = `phases[${index}].transitions[${position}]`
      if (!names.includes(transition.to))
        return `${field}.to names no phase: ${transition.to}${didYouMean(transition.to, names)}`
      if (transition.on === 'tool' && transition.tool === undefined) return `${field} needs the field tool`
      const { tool, result, contains } = transition
      if (transition.on === 'plan_accepted' && [tool, result, contains].some((value) => value !== undefined))
        return `${field} has tool, result or contains, which belong to on: tool`
    }
  }
  return undefined
}

function scenarioOf(written: ScenarioFile, name: string, file: ScenarioSource): Scenario {
  const phases = written.phases.map(phaseOf)
  return {
    name,
    description: written.description,
    source: file.source,
    path: file.path,
    start: written.start ?? phases[0]?.name ?? '',
    phases,
  }
}

function phaseOf({ transitions = [], ...phase }: WrittenPhase): ScenarioPhase {
  return { ...phase, transitions: transitions.map(transitionOf) }
}

function transitionOf({
  to,
  on,
  tool = '',
  ...rest
}: NonNullable<WrittenPhase['transitions']>[number]): PhaseTransition {
  return on === 'plan_accepted' ? { to, on } : { to, on, tool, ...rest }
}
