// Tests propose_plan: what the model reads of each answer, and which plans it refuses.
import { of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { tools } from '../../../lib/tools/index.ts'
import type { PlanAnswer } from '../../../lib/streams/ports/tool.ts'
import { resultOf, testContext, textOf, toolContract } from '../../contract/tool-contract.ts'

const { proposePlan } = tools

toolContract('propose_plan', () => ({
  tool: proposePlan,
  succeeding: () => ({ plan: 'a' }),
  failing: () => ({ plan: ' ' }),
  invalid: [{}, { plan: 1 }],
}))

describe('propose_plan', () => {
  it.each<[PlanAnswer, RegExp, boolean]>([
    [{ outcome: 'accepted', phase: 'build' }, /^The user accepted the plan\. Carry it out now\.$/, false],
    [{ outcome: 'accepted', text: 'Only b.' }, /the plan that counts:\n\nOnly b\.$/, false],
    [{ outcome: 'rejected', text: 'And c?' }, /says: And c\?\nChange the plan/, false],
    [{ outcome: 'rejected' }, /will say what is missing/, true],
    [{ outcome: 'unattended' }, /Give it as your answer, and change nothing/, false],
    [{ outcome: 'not_planning' }, /not in a phase that ends with a plan/, false],
  ])('words %j', async (answer, text, ends) => {
    const plans: string[] = []
    const context = testContext('/', { proposePlan: (plan) => (plans.push(plan), of(answer)) })
    const result = await resultOf(proposePlan, { plan: 'a, then b' }, context)
    expect(plans).toEqual(['a, then b'])
    expect(textOf(result)).toMatch(text)
    expect(result.terminate ?? false).toBe(ends)
  })

  it('refuses a plan that no question can show, and asks nobody', async () => {
    const context = testContext('/', { proposePlan: () => of({ outcome: 'accepted' }) })
    expect(await resultOf(proposePlan, { plan: 'x'.repeat(60_001) }, context)).toMatchObject({ isError: true })
  })
})
