// Tests the layer that keeps the tools which a session may use, and chooses the active ones.
import { map } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { filterTools } from '../../../lib/operators/tool-pipeline/filter-tools.ts'
import type { ToolDraft, ToolPolicy } from '../../../lib/operators/tool-pipeline/tool-draft.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { a, b, c, draft, namesOf } from './pipeline-samples.ts'

const tools = [
  fakeTool('read', '', { capability: 'read' }),
  fakeTool('bash', '', { capability: 'execute' }),
  fakeTool('plain', ''),
  fakeTool('mail', '', { capability: 'network', requiredScope: 'mail' }),
]

function filtered(policy: ToolPolicy): readonly [registered: string, active: string] {
  let built: ToolDraft = draft([])
  marbles(({ cold }) => {
    cold<ToolDraft>('(x|)', { x: draft(tools, { policy }) })
      .pipe(filterTools())
      .subscribe((next) => (built = next))
  })
  return [namesOf(built.registered ?? []), namesOf(built.tools)]
}

const all = 'read bash plain mail'

describe('filterTools', () => {
  it.each<readonly [ToolPolicy, string, string]>([
    [{}, all, all],
    [{ names: ['mail', 'read'] }, all, 'mail read'],
    [{ names: ['read', 'read'] }, all, 'read'],
    [{ names: ['gone', 'read'] }, all, 'read'],
    [{ names: [] }, all, ''],
    [{ scopes: [] }, 'read bash plain', 'read bash plain'],
    [{ scopes: ['mail'] }, all, all],
    [{ capabilities: ['read'] }, 'read', 'read'],
    [{ capabilities: [] }, '', ''],
    // the earlier names of capabilities, and a tool without one, which counts as `exec`
    [{ capabilities: ['exec'] }, 'bash plain', 'bash plain'],
    [{ capabilities: ['execute', 'http'] }, 'bash plain mail', 'bash plain mail'],
    [{ capabilities: ['http'], scopes: ['calendar'] }, '', ''],
    [{ capabilities: ['read'], names: ['bash', 'read'] }, 'read', 'read'],
  ])('by %j registers "%s" and activates "%s" [LOOP-37b]', (policy, registered, active) => {
    expect(filtered(policy)).toEqual([registered, active])
  })

  it('chooses again with each change, and ends with its source', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const list = [a, b, c]
      const draft$ = hot('-x-y-#', {
        x: draft(list, { policy: { names: ['c', 'a'] } }),
        y: draft(list, { policy: { names: ['b'] } }),
      })
      expectObservable(
        draft$.pipe(
          filterTools(),
          map((built) => namesOf(built.tools)),
        ),
      ).toBe('-x-y-#', {
        x: 'c a',
        y: 'b',
      })
      expectSubscriptions(draft$.subscriptions).toBe('^----!')
    })
  })
})
