// The propose_plan tool: hands a plan to the person, who accepts, changes or rejects it.
import { defer, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { defineTool } from '../../streams/tool-definition/define-tool.ts'
import { errorResult, textResult } from '../../streams/ports/tool.ts'
import type { PlanAnswer, StreamTool, ToolResult } from '../../streams/ports/tool.ts'
import { planTool } from '../../streams/ports/scenarios.ts'
import { proposePlanParameters } from '../generated/parameter-validators.js'
import { argumentsValidator, ProposePlanParameters } from '../shared/parameters.ts'

/** UTF-16 units; a question may be a little longer. */
const maxPlanLength = 60_000

/** The wait does not count in the tool's time limit. Unsubscribing takes the question back. */
export function createProposePlanTool(): StreamTool<typeof ProposePlanParameters> {
  return defineTool({
    name: planTool,
    description: 'Hand your plan to the user, who accepts, changes or rejects it.',
    parameters: ProposePlanParameters,
    validate: argumentsValidator(proposePlanParameters),
    sideEffectFree: true,
    mustSerial: true,
    capability: 'read', // a person decides what follows
    execute: ({ plan }, { proposePlan }) =>
      defer((): Observable<ToolResult> => {
        if (plan.trim() === '') return of(errorResult('The plan is empty.'))
        if (plan.length > maxPlanLength)
          return of(errorResult(`The plan has more than ${maxPlanLength} characters; propose a shorter one.`))
        const answer$ = proposePlan?.(plan) ?? of<PlanAnswer>({ outcome: 'not_planning' })
        return answer$.pipe(map(planResult))
      }),
  })
}

function planResult({ outcome, text, phase }: PlanAnswer): ToolResult {
  const details = { outcome, ...(phase === undefined ? {} : { phase }), ...(text === undefined ? {} : { text }) }
  switch (outcome) {
    case 'accepted': {
      const edited = text === undefined ? '' : ` The user changed it; this is the plan that counts:\n\n${text}`
      return textResult(`The user accepted the plan. Carry it out now.${edited}`, { details })
    }
    case 'rejected':
      return text === undefined
        ? textResult('The user did not accept the plan, and will say what is missing.', { details, terminate: true })
        : textResult(`The user did not accept the plan and says: ${text}\nChange the plan and propose it again.`, {
            details,
          })
    case 'unattended':
      return textResult('No person can accept the plan now. Give it as your answer, and change nothing.', { details })
    case 'not_planning':
      return textResult('The session is not in a phase that ends with a plan. Go on without proposing one.', {
        details,
      })
  }
}
