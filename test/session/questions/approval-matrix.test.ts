// Runs a session through every mode, sandbox, rule and answer of a person: which of three calls run, ask and are refused.
import { lastValueFrom, of } from 'rxjs'
import { beforeAll, describe, expect, it } from 'vitest'
import { createPolicy } from '../../../lib/policy/decide/create-policy.ts'
import type { SessionPolicy } from '../../../lib/policy/decide/create-policy.ts'
import { createRuleSet } from '../../../lib/policy/rules/rule-set.ts'
import type { Permissions } from '../../../lib/streams/config/permissions.ts'
import { approvalModes } from '../../../lib/streams/ports/policy.ts'
import type { ApprovalMode, PolicyVerdict } from '../../../lib/streams/ports/policy.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { fakeSandbox } from '../../support/fake-sandbox.ts'
import type { PlayedSession } from '../../support/virtual-session.ts'
import { answer, decisions, eventsNamed, playPolicy, showing } from './policy-scene.ts'

const workspace = '/somewhere'
const home = '/home/ada'
const roots = { folder: workspace, home }

const rulesOf = {
  none: {},
  allow: { allow: ['bash(npm test)'] },
  ask: { ask: ['bash(npm test)'] },
  deny: { deny: ['bash(npm test)'] },
  'allow and ask': { allow: ['bash(npm *)'], ask: ['bash(npm test)'] },
  'allow and deny': { allow: ['bash'], deny: ['bash(npm test)'] },
} as const satisfies Record<string, Permissions>
type RuleName = keyof typeof rulesOf

const answers = {
  once: { choice: 'once' },
  session: { choice: 'session' },
  'session, edited': { choice: 'session', pattern: 'bash(npm *)' },
  always: { choice: 'always' },
  deny: { choice: 'deny' },
  'deny with text': { choice: 'deny', text: 'Use ls.' },
} as const
type AnswerName = keyof typeof answers

interface Combination {
  readonly mode: ApprovalMode
  readonly isSandboxed: boolean
  readonly rule: RuleName
  readonly name: AnswerName
}

const allowed: PolicyVerdict = { decision: 'allow', by: 'test', reason: 'The parser is loaded.' }

function policyOf(rules: Permissions): SessionPolicy {
  const origin = { source: 'user', file: '/settings.json' } as const
  return createPolicy({
    rules: createRuleSet(rules, roots, origin),
    surroundings: { workspace, homeFolder: home, rxpiFolders: [`${home}/.local/state/rxpi`] },
    remember: (rule) => of(createRuleSet({ allow: [rule] }, roots, origin)),
  })
}

/** The parser loads once a process; a session in virtual time does not wait for it. */
beforeAll(async () => {
  const call = { tool: { name: 'bash', capability: 'exec' }, args: { command: 'ls' }, cwd: workspace, mode: 'auto', isSandboxed: false } as const // prettier-ignore
  await lastValueFrom(policyOf({}).decide(call), { defaultValue: allowed })
})

const bash = (command: string) => ({ toolCalls: [{ name: 'bash', arguments: { command } }] })

/** The same call twice, then a similar one. The first question gets the answer, the others are refused. */
function play({ mode, isSandboxed, rule, name }: Combination): PlayedSession {
  const respond = (outcome: object) => (control: Parameters<typeof answer>[0]) => {
    if (control.session.state$.value.questions.length > 0) answer(control, outcome)
  }
  return playPolicy(policyOf(rulesOf[rule]), {
    script: [bash('npm test'), bash('npm test'), bash('npm run x'), 'done'],
    tools: [fakeTool('bash', 'ran', { capability: 'exec' })],
    options: { approvalMode: mode, sandbox: fakeSandbox({ confines: () => isSandboxed }) },
    at: { 0: showing, 10: respond(answers[name]), 20: respond({ choice: 'deny' }), 30: respond({ choice: 'deny' }), 40: respond({ choice: 'deny' }) }, // prettier-ignore
  })
}

/** Written apart from the code: who decides about each call, `deny:client` for a later question. */
function expected({ mode, isSandboxed, rule, name }: Combination): readonly string[] {
  const modeAsks = mode === 'ask' || (mode === 'writes' && !isSandboxed)
  const free = modeAsks ? 'ask' : isSandboxed ? 'allow:sandbox' : 'allow:mode'
  const ruled: Readonly<Record<RuleName, string>> = { none: free, allow: modeAsks ? 'allow:rule' : free, ask: 'ask', deny: 'deny:rule', 'allow and ask': 'ask', 'allow and deny': 'deny:rule' } // prettier-ignore
  const other = rule.startsWith('allow and') && modeAsks ? 'allow:rule' : free
  const isEachTime = rule === 'ask' || rule === 'allow and ask'
  const isOffered = !isEachTime || name === 'once' || name.startsWith('deny')
  const first = answers[name].choice === 'deny' || !isOffered ? 'deny:client' : 'allow:client'
  const again: Readonly<Record<AnswerName, string>> = { once: 'deny:client', session: 'allow:remembered', 'session, edited': 'allow:rule', always: 'allow:rule', deny: 'deny:client', 'deny with text': 'deny:client' } // prettier-ignore
  const wasRequests = ruled[rule] === 'ask' // else the first question is about the third call
  return [
    wasRequests ? first : ruled[rule],
    wasRequests ? (isEachTime ? 'deny:client' : again[name]) : ruled[rule],
    other !== 'ask' ? other : wasRequests ? (name === 'session, edited' && !isEachTime ? 'allow:rule' : 'deny:client') : first, // prettier-ignore
  ]
}

describe.each(approvalModes.flatMap((mode) => [false, true].map((isSandboxed) => ({ mode, isSandboxed }))))(
  'the mode $mode, sandbox $isSandboxed',
  (testFolder) => {
    it.each(Object.keys(rulesOf) as RuleName[])('with the rules %s and each answer [POLICY-matrix]', (rule) => {
      for (const name of Object.keys(answers) as AnswerName[]) {
        const combination = { ...testFolder, rule, name }
        const run = play(combination)
        expect(decisions(run), name).toEqual(expected(combination))
        const ran = eventsNamed(run, 'tool_execution_end').map(({ content }) => JSON.stringify(content).includes('"ran"')) // prettier-ignore
        expect(ran, name).toEqual(expected(combination).map((each) => each.startsWith('allow')))
        expect(run.session.state$.value.questions, name).toEqual([])
      }
    })
  },
)
