// Provides a session with scenarios, a policy, and people who answer.
import { of } from 'rxjs'
import { phaseFinding } from '../../../lib/policy/decide/phase-finding.ts'
import { defineTool } from '../../../lib/streams/tool-definition/define-tool.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import type { AnyTool } from '../../../lib/streams/ports/tool.ts'
import type { Policy } from '../../../lib/streams/ports/policy.ts'
import type { Scenario, ScenarioPhase, Scenarios } from '../../../lib/streams/ports/scenarios.ts'
import { builtInScenarios } from '../../../lib/context/scenarios/built-in-scenarios.ts'
import { createProposePlanTool } from '../../../lib/tools/talk/propose-plan.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { Type } from '@sinclair/typebox'
import { playSession } from '../../support/virtual-session.ts'
import type { PlayedSession, SessionScene } from '../../support/virtual-session.ts'

/** Refuses by the phase alone. */
export const phasePolicy: Policy = {
  decide: (request) => of(phaseFinding(request, {}) ?? { decision: 'allow', by: 'mode', reason: 'Nothing asks.' }),
}

export function scenario(
  name: string,
  phases: readonly (Partial<ScenarioPhase> & { readonly name: string })[],
): Scenario {
  const whole = phases.map((phase) => ({ transitions: [], ...phase }))
  return { name, description: name, source: 'user', start: whole[0]?.name ?? '', phases: whole }
}

export function declared(...more: readonly Scenario[]): Scenarios {
  return { list: () => of({ scenarios: [...more, ...builtInScenarios], problems: [] }) }
}

export const look = fakeTool('look', 'seen', { capability: 'read' })
export const change = fakeTool('change', 'changed', { capability: 'write' })
/** Fails if its argument says so. */
export const check: AnyTool = defineTool({
  name: 'check',
  description: 'checks',
  parameters: Type.Object({ result: Type.String() }),
  capability: 'read',
  execute: ({ result }) => of(textResult(result, { isError: result.startsWith('FAIL') })),
})

export function playScenario({
  options,
  tools = [look, change, check, createProposePlanTool()],
  ...scene
}: SessionScene): PlayedSession {
  return playSession({
    tools,
    ...scene,
    options: {
      policy: phasePolicy,
      approvalMode: 'auto',
      scenarios: declared(),
      limits: { wallClockMs: 0 },
      ...options,
    },
  })
}

/** What the last request told the model about phases. */
export function phaseNotesOf({ requests }: Pick<PlayedSession, 'requests'>): readonly string[] {
  return (requests.at(-1)?.messages ?? []).flatMap((message) =>
    message.role === 'user' && typeof message.content === 'string' && /phase|scenario/.test(message.content)
      ? [message.content]
      : [],
  )
}
