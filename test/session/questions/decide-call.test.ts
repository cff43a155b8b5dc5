// Tests decisions of a policy about tool calls: verdicts, people's answers, batches, aborts, modes.
// Over 250 lines: verdicts, answers, modes and ends of one decision share one scene.
import { map, NEVER, of, throwError, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { fakeSandbox } from '../../support/fake-sandbox.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { defineTool } from '../../../lib/streams/tool-definition/define-tool.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import type { SessionControl } from '../../support/virtual-session.ts'
import { resultText } from './ui-requests-scene.ts'
import { act, answer, askVerdict, call, decisions, eventsNamed, fakePolicy, older, playPolicy, showing } from './policy-scene.ts' // prettier-ignore

const allow = { decision: 'allow', by: 'mode', reason: 'Nothing asks.' } as const
const deny = { decision: 'deny', by: 'rule', reason: 'It matches the deny rule act.', rule: 'act' } as const

describe('a verdict of the policy', () => {
  it('allow: the call runs, after its decision is written [POLICY-decision, EVENT-policy_decision]', () => {
    const run = playPolicy(fakePolicy(() => allow))
    const types = run.events.map(({ type }) => type)
    expect(eventsNamed(run, 'policy_decision')).toEqual([{ type: 'policy_decision', toolCallId: 'call_1_1', ...allow }])
    expect(types.indexOf('policy_decision')).toBeLessThan(types.indexOf('tool_execution_start'))
    expect(resultText(run)).toBe('ran')
  })

  it('deny: the model reads why, and the run goes on [POLICY-denial-text]', () => {
    const run = playPolicy(fakePolicy(() => deny))
    expect(eventsNamed(run, 'policy_decision')).toMatchObject([deny])
    expect(resultText(run)).toBe(
      'act was not run. It matches the deny rule act. Do what you can without it, or tell the user what you need and why.',
    )
    expect(run.session.state$.value.lastEnd).toMatchObject({ terminationReason: 'completed', totalTurns: 2 })
  })

  it.each([
    ['fails', throwError(() => new Error('broken'))],
    ['completes without a verdict', of()],
  ])('a policy that %s denies [POLICY-fault]', (_, verdict$) => {
    const run = playPolicy({ decide: () => verdict$ })
    expect(decisions(run)).toEqual(['deny:protected'])
    expect(resultText(run)).toContain('act was not run. The policy could not decide')
  })

  it('rests on the final arguments, the mode and the sandbox [S4a]', () => {
    const policy = fakePolicy(() => allow)
    const sandbox = { confines: (_: unknown, args: object) => 'safe' in args }
    playPolicy(policy, {
      options: {
        approvalMode: 'auto',
        sandbox: fakeSandbox({ ...sandbox, insideFolders: ['/tmp'] }),
        hooks: { beforeToolCall: () => ({ args: { safe: true } }) },
      },
    })
    expect(policy.requests).toMatchObject([
      {
        tool: { name: 'act' },
        args: { safe: true },
        cwd: '/somewhere',
        mode: 'auto',
        isSandboxed: true,
        inside: ['/tmp'],
      },
    ])
  })

  it('rests on the place that the tool names for the call [JOBS-persist]', () => {
    const policy = fakePolicy(() => allow)
    const sentRequests: unknown[] = []
    const workingContext = (args: object, context: object) => {
      sentRequests.push([args, context])
      return { cwd: '/elsewhere', changed: ['PATH'] }
    }
    playPolicy(policy, { tools: [{ ...act(), workingContext }] })
    expect(policy.requests).toMatchObject([{ cwd: '/elsewhere', changed: ['PATH'] }])
    expect(sentRequests).toEqual([[{ path: 'a' }, { cwd: '/somewhere', toolCallId: 'call_1_1' }]])
  })

  it.each([
    ['in another folder', { cwd: '/two', changed: [] }],
    ['with other programs', { cwd: '/one', changed: ['PATH'] }],
  ])('an answer counts only for the place that was shown, not %s [S5e]', (_, later) => {
    let working: { readonly cwd: string; readonly changed: readonly string[] } = { cwd: '/one', changed: [] }
    const policy = fakePolicy()
    const run = playPolicy(policy, {
      tools: [{ ...act(), workingContext: () => working }],
      at: {
        0: showing,
        2: (control) => {
          working = later
          answer(control, { choice: 'once' })
        },
        3: (control) => answer(control, { choice: 'once' }, 0),
      },
    })
    expect(policy.requests.map(({ cwd, changed = [] }) => ({ cwd, changed }))).toEqual([
      { cwd: '/one', changed: [] },
      later,
    ])
    expect(decisions(run)).toEqual(['allow:client'])
  })

  it.each([
    [{ block: { reason: 'no' } }, { decision: 'deny', reason: 'no' }],
    [{ ask: { reason: 'sure?' } }, { decision: 'ask', reason: 'sure?' }],
    [{ ask: {} }, { decision: 'ask' }],
    [{}, undefined],
  ] as const)('a hook’s %j goes in as its answer [POLICY-hook]', (answered, hook) => {
    const policy = fakePolicy(({ hook: own }) => (own?.decision === 'deny' ? { decision: 'deny', by: 'hook', reason: own.reason ?? '' } : allow)) // prettier-ignore
    const run = playPolicy(policy, { options: { hooks: { beforeToolCall: () => answered } } })
    expect(policy.requests[0]?.hook).toEqual(hook)
    expect(resultText(run)).toBe(hook?.decision === 'deny' ? 'no' : 'ran')
    expect(decisions(run)).toHaveLength(1)
  })

  it('a hook cannot change the arguments after the decision [S4a]', () => {
    const tool = act()
    let stored: Record<string, unknown> = {}
    playPolicy(fakePolicy(), {
      tools: [tool],
      options: {
        hooks: {
          beforeToolCall: ({ args }) => {
            stored = args
            return undefined
          },
        },
      },
      at: {
        0: showing,
        10: (control) => {
          stored['path'] = '/etc'
          return answer(control, { choice: 'once' })
        },
      },
    })
    expect(tool.calls[0]?.args).toEqual({ path: 'a' })
  })
})

describe('a question to approve', () => {
  it('shows the call, its class and the pattern, and is open in the state [POLICY-question]', () => {
    const tool = act({ previewDiff: () => of('-a\n+b') })
    const run = playPolicy(fakePolicy(), { tools: [tool], at: { 0: showing } })
    const [question] = run.session.state$.value.questions
    expect(question).toMatchObject({
      kind: 'approval',
      source: 'core',
      text: 'May act run?',
      tool: 'act',
      toolCallId: 'call_1_1',
      args: { path: 'a' },
      reason: 'It deletes folders.',
      class: 'recursive-delete',
      tier: 'critical',
      diff: '-a\n+b',
      pattern: 'act(x *)',
      choices: ['once', 'session', 'always', 'deny'],
    })
    expect(question?.requestId).toMatch(/^[a-z2-7]{26}$/)
    expect(tool.calls).toEqual([])
  })

  it.each([
    [{ asksEachTime: true }, ['once', 'deny']],
    [{ pattern: undefined }, ['once', 'session', 'deny']],
  ])('offers only answers that the policy heeds: %j [POLICY-choices]', (more, choices) => {
    const { pattern, ...fixed } = { ...askVerdict, ...more }
    const verdict = pattern === undefined ? fixed : { ...fixed, pattern }
    const run = playPolicy(
      fakePolicy(() => verdict),
      { at: { 0: showing } },
    )
    expect(eventsNamed(run, 'question')).toMatchObject([{ choices }])
  })

  it('is asked without the diff if that fails or takes too long [POLICY-question]', () => {
    const slow = playPolicy(fakePolicy(), { tools: [act({ previewDiff: () => NEVER })], at: { 0: showing } })
    const failing = playPolicy(fakePolicy(), {
      tools: [act({ previewDiff: () => throwError(() => new Error('x')) })],
      at: { 0: showing },
    })
    for (const run of [slow, failing]) {
      const [question] = eventsNamed(run, 'question')
      expect(question).toBeDefined()
      expect(question).not.toHaveProperty('diff')
    }
  })
})

describe('the answer of a person', () => {
  const table = [
    [{ choice: 'once' }, 'ran', 'allow', []],
    [{ choice: 'session' }, 'ran', 'allow', [{ path: 'a' }]],
    [{ choice: 'session', pattern: 'act(y)' }, 'ran', 'allow', [['act(y)', 'session']]],
    [{ choice: 'always' }, 'ran', 'allow', [['act(x *)', 'always']]],
    [{ choice: 'always', pattern: 'act(y)' }, 'ran', 'allow', [['act(y)', 'always']]],
    [{ choice: 'deny' }, 'The user did not allow this call of act.', 'deny', []],
    [{ choice: 'deny', text: 'Use ls.' }, 'The user did not allow this call of act, and says: Use ls.', 'deny', []],
  ] as const

  it.each(table)(
    '%j: %s [POLICY-answers, EVENT-question, EVENT-policy_decision]',
    (outcome, result, decision, remembered) => {
      const policy = fakePolicy()
      const run = playPolicy(policy, {
        at: { 0: showing, 10: (control) => answer(control, outcome, 0, { client: 'desk' }) },
      })
      expect(resultText(run)).toBe(result)
      expect(policy.remembered).toEqual(remembered)
      expect(eventsNamed(run, 'question_resolved')).toMatchObject([{ outcome, by: 'client', client: 'desk' }])
      expect(eventsNamed(run, 'policy_decision')).toMatchObject([
        { decision, by: 'client', client: 'desk', class: 'recursive-delete', tier: 'critical' },
      ])
    },
  )

  it.each([
    ['once'],
    [{ choice: 'project' }],
    [{ choice: 'once', text: 'go' }],
    [{ choice: 'once', pattern: 'act' }],
    [{ choice: 'always', pattern: 'x'.repeat(1_001) }],
    [{}],
    [null],
  ])('%j is refused, and the question stays open [POLICY-answers]', (outcome) => {
    const run = playPolicy(fakePolicy(), { at: { 0: showing, 10: (control) => answer(control, outcome as never) } })
    expect(run.sent.at(-1)?.failure).toMatchObject({ code: 'bad_request' })
    expect(run.session.state$.value.questions).toHaveLength(1)
  })

  it('with a pattern that is no rule is refused, and another one counts [POLICY-answers]', () => {
    const noRule = new Failure('bad_request', 'it is no rule')
    const policy = fakePolicy(undefined, (pattern) => (pattern === '(' ? throwError(() => noRule) : of(undefined)))
    const run = playPolicy(policy, {
      at: {
        0: showing,
        10: (control) => answer(control, { choice: 'always', pattern: '(' }),
        20: (control) => answer(control, { choice: 'deny' }),
      },
    })
    expect(run.sent.map(({ failure }) => failure)).toEqual([undefined, noRule, undefined])
    expect(decisions(run)).toEqual(['deny:client'])
  })

  it('counts once: while it is stored, and after it, no other does [S5b]', () => {
    let requestId = ''
    const late = (control: SessionControl) => control.send({ type: 'ui_response', requestId, outcome: { choice: 'deny' } }) // prettier-ignore
    const run = playPolicy(
      fakePolicy(undefined, () => NEVER),
      {
        at: {
          0: showing,
          10: (control) => {
            requestId = control.session.state$.value.questions[0]?.requestId ?? ''
            return answer(control, { choice: 'always' })
          },
          20: late,
          30: ({ send }) => send({ type: 'abort' }),
          40: late,
        },
      },
    )
    const refused = run.sent.filter(({ command }) => command.type === 'ui_response').slice(1)
    expect(refused.map(({ failure }) => (failure as Failure).data)).toEqual([{ resolvedBy: 'client' }, { resolvedBy: 'default' }]) // prettier-ignore
    expect(resultText(run)).toBe('Aborted')
  })

  it('counts no more if the run was aborted while its rule was stored [S5b]', () => {
    const run = playPolicy(
      fakePolicy(undefined, () => timer(20).pipe(map(() => undefined))),
      {
        at: {
          0: showing,
          10: (control) => answer(control, { choice: 'always' }),
          20: ({ send }) => send({ type: 'abort' }),
        },
      },
    )
    const [response] = run.sent.filter(({ command }) => command.type === 'ui_response')
    expect(response?.failure).toMatchObject({ data: { resolvedBy: 'default' } })
    expect(decisions(run)).toEqual(['deny:abort'])
  })

  it('is asked for again if the sandbox changed meanwhile [S5e]', () => {
    let isThere = true
    const run = playPolicy(fakePolicy(), {
      options: { sandbox: fakeSandbox({ confines: () => isThere }) },
      at: {
        0: showing,
        10: (control) => {
          isThere = false
          return answer(control, { choice: 'once' })
        },
        20: (control) => answer(control, { choice: 'once' }),
      },
    })
    const sentRequests = eventsNamed(run, 'question').map(({ requestId }) => requestId)
    expect(new Set(sentRequests).size).toBe(2)
    expect(decisions(run)).toEqual(['allow:client'])
  })

  it('a repeated response with the same opId is answered the same [POLICY-answers]', () => {
    const run = playPolicy(fakePolicy(), {
      at: {
        0: showing,
        10: (control) => {
          const requestId = control.session.state$.value.questions[0]?.requestId ?? ''
          const command = { type: 'ui_response', requestId, outcome: { choice: 'once' } } as const
          control.send(command, { opId: 'op' })
          control.send(command, { opId: 'op' })
        },
      },
    })
    expect(run.sent.map(({ failure }) => failure)).toEqual([undefined, undefined, undefined])
  })
})

describe('without a person', () => {
  it('is refused at once, and no question is written [S4b]', () => {
    const run = playPolicy(fakePolicy())
    expect(decisions(run)).toEqual(['deny:unattended'])
    expect(run.events.filter(({ type }) => type === 'question' || type === 'ui_request')).toEqual([])
    expect(resultText(run)).toContain("It deletes folders. It needs a person's approval, and no client can give it.")
  })

  it('waits 30 s for a client that left [POLICY-unattended]', () => {
    const run = playPolicy(fakePolicy(), {
      at: {
        0: (control) => {
          const there = showing(control)
          setTimeout(() => there?.unsubscribe())
          control.session.records$.subscribe(({ event }) => event.type === 'question' && there?.unsubscribe())
        },
      },
    })
    expect(eventsNamed(run, 'question_resolved')).toMatchObject([{ outcome: { choice: 'deny' }, by: 'default' }])
    expect(decisions(run)).toEqual(['deny:unattended'])
    expect(run.records.at(-1)?.at).toBe(30_001)
  })

  it('clients that show no questions get an approval, once or deny [POLICY-fallback]', () => {
    const reply =
      (outcome: string, more = {}) =>
      (control: SessionControl) => {
        const [request] = control.session.state$.value.requests
        return control.send({ type: 'ui_response', requestId: request?.requestId ?? '', outcome, ...more }, { client: 'old' }) // prettier-ignore
      }
    const yes = playPolicy(fakePolicy(), { at: { 0: older, 10: reply('once') } })
    expect(eventsNamed(yes, 'ui_request')).toMatchObject([
      { kind: 'approval', choices: ['once', 'deny'], args: { path: 'a' }, reason: 'It deletes folders.' },
    ])
    expect([resultText(yes), decisions(yes)]).toEqual(['ran', ['allow:client']])
    const no = playPolicy(fakePolicy(), { at: { 0: older, 10: reply('deny', { text: 'Later.' }) } })
    expect([resultText(no), decisions(no)]).toEqual([
      'The user did not allow this call of act, and says: Later.',
      ['deny:client'],
    ])
    expect(eventsNamed(no, 'policy_decision')).toMatchObject([{ client: 'old' }])
  })
})

describe('several calls of an answer', () => {
  const three = [{ toolCalls: [call, { ...call, arguments: { path: 'b' } }, { ...call, arguments: { path: 'c' } }] }, 'done'] // prettier-ignore

  it('are open together, and answered in any order; results are in call order [POLICY-batch]', () => {
    const run = playPolicy(fakePolicy(), {
      script: three,
      at: {
        0: showing,
        10: (control) => {
          expect(control.session.state$.value.questions.map(({ args }) => args)).toEqual([{ path: 'a' }, { path: 'b' }, { path: 'c' }]) // prettier-ignore
          answer(control, { choice: 'deny', text: 'third' }, 2)
        },
        20: (control) => answer(control, { choice: 'once' }, 0),
        30: (control) => answer(control, { choice: 'deny', text: 'second' }, 0),
      },
    })
    expect(resultText(run)).toEqual(expect.stringMatching(/^ran,.*says: second,.*says: third$/))
    expect(decisions(run)).toEqual(['deny:client', 'allow:client', 'deny:client'])
    const starts = run.events.filter(({ type }) => type === 'tool_execution_start')
    expect(starts).toHaveLength(3)
  })

  it('one answer for the pattern ends the questions that it covers [POLICY-batch]', () => {
    const run = playPolicy(fakePolicy(), {
      script: three,
      at: { 0: showing, 10: (control) => answer(control, { choice: 'always' }, 1) },
    })
    expect(resultText(run)).toBe('ran,ran,ran')
    expect(
      eventsNamed(run, 'question_resolved')
        .map(({ by }) => by)
        .sort(),
    ).toEqual(['client', 'policy', 'policy'])
    expect(decisions(run).sort()).toEqual(['allow:client', 'allow:rule', 'allow:rule'])
  })

  it('sequential execution asks one after another [POLICY-batch]', () => {
    const run = playPolicy(fakePolicy(), {
      script: three,
      options: { toolExecution: 'sequential' },
      at: { 0: showing },
    })
    expect(run.session.state$.value.questions).toHaveLength(1)
  })

  it('an abort ends all of them as denied, each with its decision [POLICY-abort]', () => {
    const tool = act()
    const run = playPolicy(fakePolicy(), {
      script: three,
      tools: [tool],
      at: { 0: showing, 10: ({ send }) => send({ type: 'abort' }) },
    })
    expect(tool.calls).toEqual([])
    expect(resultText(run)).toBe('Aborted,Aborted,Aborted')
    expect(run.session.state$.value.questions).toEqual([])
    expect(decisions(run)).toEqual(['deny:abort', 'deny:abort', 'deny:abort'])
    expect(run.session.state$.value.lastEnd).toMatchObject({ terminationReason: 'aborted' })
  })

  it('time limits stand still while a question is open [LOOP-29b]', () => {
    const run = playPolicy(fakePolicy(), {
      at: { 0: showing, 3_600_000: (control) => answer(control, { choice: 'once' }) },
    })
    expect(run.session.state$.value.lastEnd).toMatchObject({ terminationReason: 'completed' })
    expect(resultText(run)).toBe('ran')
  })
})

describe('the approval mode', () => {
  const byMode = () => fakePolicy(({ mode }) => (mode === 'auto' ? allow : { ...askVerdict, by: 'mode' }))

  it('is `writes` by default, and changes with the command, also for open questions [COMMAND-set_approval_mode, EVENT-approval_mode]', () => {
    const policy = byMode()
    const run = playPolicy(policy, {
      at: {
        0: showing,
        10: ({ session, send }) => {
          expect(session.approvalMode).toBe('writes')
          send({ type: 'set_approval_mode', mode: 'auto' })
        },
      },
    })
    expect(policy.requests.map(({ mode }) => mode)).toEqual(['writes', 'auto', 'auto'])
    expect(eventsNamed(run, 'approval_mode_change')).toEqual([
      { type: 'approval_mode_change', from: 'writes', to: 'auto', by: 'client' },
    ])
    expect(eventsNamed(run, 'question_resolved')).toMatchObject([{ outcome: { choice: 'once' }, by: 'policy' }])
    expect([resultText(run), decisions(run), run.session.approvalMode]).toEqual(['ran', ['allow:mode'], 'auto'])
    expect(run.session.state$.value.approvalMode).toBe('auto')
  })

  it('is refused without a policy, and for another word [COMMAND-set_approval_mode]', () => {
    const run = playPolicy(byMode(), {
      at: { 10: ({ send }) => send({ type: 'set_approval_mode', mode: 'yolo' as never }) },
    })
    expect(run.sent.at(-1)?.failure).toMatchObject({ code: 'bad_request' })
    const { policy: _, ...without } = { policy: undefined }
    const old = playPolicy(undefined as never, {
      options: without,
      at: { 10: ({ send }) => send({ type: 'set_approval_mode', mode: 'auto' }) },
    })
    expect(old.sent.at(-1)?.failure).toMatchObject({ code: 'bad_request' })
    expect(old.session.approvalMode).toBeUndefined()
  })

  it.each([
    ['a recorded mode tightens', 'ask', undefined, 'ask'],
    ['a recorded mode never loosens', 'auto', undefined, 'writes'],
    ['the option precedes it', 'ask', 'auto', 'auto'],
    ['an unknown one does not count', 'yolo', undefined, 'writes'],
  ] as const)('%s when the session is opened [S1b]', (_, recorded, approvalMode, expected) => {
    const first = playPolicy(byMode())
    first.log.append(`{"seq":${first.log.head + 1},"at":1,"event":{"type":"approval_mode_change","from":"ask","to":"${recorded}"}`) // prettier-ignore
    const again = playPolicy(byMode(), {
      log: first,
      options: approvalMode === undefined ? {} : { approvalMode },
    })
    expect(again.session.approvalMode).toBe(expected)
    expect(again.session.state$.value.approvalMode).toBe(expected)
  })

  it('no tool can change it: a tool has no way to send commands [S1b]', () => {
    let context: object = {}
    const tool = defineTool({
      ...act(),
      execute: (_args, setup) => {
        context = setup
        return of(textResult('set_approval_mode auto'))
      },
    })
    const run = playPolicy(
      fakePolicy(() => allow),
      { tools: [tool] },
    )
    expect(Object.keys(context)).not.toEqual(expect.arrayContaining(['session']))
    expect('send' in context).toBe(false)
    expect([run.session.approvalMode, eventsNamed(run, 'approval_mode_change')]).toEqual(['writes', []])
  })
})
