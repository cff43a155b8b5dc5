// Tests `rxpi policy`: requests, output and exit codes.
import { firstValueFrom, of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { parseCommandLine } from '../../../../app/cli/command-line.ts'
import { policy } from '../../../../app/commands/policy/policy.ts'
import type { FakeCommands } from '../../../support/fake-backend.ts'
import { fakeWorld } from '../../../support/fake-world.ts'

async function begin(words: string[], commands: FakeCommands = {}) {
  const invocation = parseCommandLine(['policy', ...words])
  if (invocation.mode !== 'policy') throw new Error(`not policy: ${words.join(' ')}`)
  const { world, stdout, stderr } = fakeWorld({ commands })
  const code = await firstValueFrom(policy(invocation, world), { defaultValue: -1 })
  return { code, out: stdout.written, err: stderr.written }
}

describe('rxpi policy explain', () => {
  const requests: unknown[] = []
  const commands: FakeCommands = {
    explainPolicy: (command) => {
      requests.push(command)
      return of({ decision: 'ask', reason: 'It publishes a package: npm publish.', by: 'class', class: 'publishing', tier: 'medium', pattern: 'bash(npm publish)', mode: 'writes', sandboxed: false }) // prettier-ignore
    },
  }
  const call = ['explain', 'bash', '{"command":"npm publish"}', '--cwd', '/work', '--approve', 'writes', '--sandbox', 'off'] // prettier-ignore

  it('prints decision, reason, source and the rule that would answer [POLICY-commands, CLI-policy]', async () => {
    const { code, out } = await begin(call, commands)
    expect(requests).toMatchObject([{ tool: 'bash', args: { command: 'npm publish' }, cwd: '/work', approve: 'writes', sandbox: 'off', sandboxed: false }]) // prettier-ignore
    expect([code, out]).toEqual([
      0,
      'ask: It publishes a package: npm publish.\n  decided by class; class publishing (medium); mode writes, no sandbox\n  this allow rule would answer: bash(npm publish)\n',
    ])
  })

  it('names the sandbox for servers of this build and of earlier ones, which know `sandboxed`', async () => {
    for (const sandbox of ['auto', 'read-only']) await begin(['explain', 'bash', 'ls', '--sandbox', sandbox], commands)
    const [auto, readOnly] = requests.slice(-2)
    expect(auto).toMatchObject({ sandbox: 'auto' })
    expect(auto).not.toHaveProperty('sandboxed')
    expect(readOnly).toMatchObject({ sandbox: 'read-only', sandboxed: true })
  })

  it('prints one JSON document with --json [POLICY-commands]', async () => {
    const { out } = await begin([...call, '--json'], commands)
    expect(JSON.parse(out)).toMatchObject({ decision: 'ask', class: 'publishing', tier: 'medium' })
  })
})

describe('rxpi policy import', () => {
  const rules = [
    { list: 'allow' as const, text: 'Bash(npm run test:*)', rule: 'bash(npm run test *)' },
    { list: 'allow' as const, text: 'Read(./a)', rule: 'read(./a)', present: true },
    { list: 'deny' as const, text: 'Task(x)', fault: 'rxpi has no counterpart of the tool Task' },
  ]
  const commands: FakeCommands = { importRules: ({ file }) => of({ file, rules, notes: ['a note'] }) }

  it('prints each rule with its translation, and writes nothing [POLICY-import]', async () => {
    const { code, out, err } = await begin(['import', '/c.json'], commands)
    expect(out).toBe(
      [
        'allow  Bash(npm run test:*)  →  bash(npm run test *)\n',
        'allow  Read(./a)  →  read(./a)  (in your settings)\n',
        'deny   Task(x)  →  no counterpart: rxpi has no counterpart of the tool Task\n',
      ].join(''),
    )
    expect([code, err]).toEqual([0, 'rxpi: a note\nrxpi: nothing was written; --write adds the rules to your settings\n']) // prettier-ignore
  })

  it('adds the new ones to the settings with --write, behind those that are there [POLICY-import]', async () => {
    const written: unknown[] = []
    const setting = { key: 'permissions.allow', takes: '', value: ['read(./a)', { rule: 'bash(ls)', match: ['ls'] }] }
    const { err } = await begin(['import', '/c.json', '--write'], {
      ...commands,
      configGet: () => of({ file: '/s.json', setting }),
      configSet: ({ key, value }) => {
        written.push([key, value])
        return of({ file: '/s.json', setting })
      },
    })
    expect(written).toEqual([['permissions.allow', [...setting.value, 'bash(npm run test *)']]])
    expect(err).toBe('rxpi: a note\nrxpi: wrote 1 rule to /s.json\n')
  })

  it('returns 1 if no rule has a counterpart', async () => {
    const none: FakeCommands = { importRules: ({ file }) => of({ file, rules: rules.slice(2), notes: [] }) }
    expect((await begin(['import', '/c.json', '--write'], none)).code).toBe(1)
  })
})

describe('rxpi policy audit', () => {
  const decision = { seq: 4, at: Date.UTC(2026, 10, 24, 1, 2, 3), toolCallId: 'call_1', decision: 'deny' as const, reason: 'A person\nrefused.', by: 'client' } // prettier-ignore

  it('lists the decisions of a session, of a file, and of the latest session [POLICY-audit]', async () => {
    const requests: unknown[] = []
    const commands: FakeCommands = {
      listSessions: () => of({ sessions: [{ id: 'abcdefghij23', file: '/l', isLatest: true, createdAt: 0, updatedAt: 0, size: 1 }], total: 1, more: false, problems: [] }), // prettier-ignore
      auditPolicy: (command) => {
        requests.push(command)
        return of({ decisions: [{ ...decision, tool: 'bash', args: { command: 'ls' }, client: 'tui' }, { ...decision, class: 'publishing', tier: 'medium' }], total: 9 }) // prettier-ignore
      },
    }
    const { out, err } = await begin(['audit', 'abcdefghij23'], commands)
    expect(out).toBe(
      [
        '2026-11-24 01:02:03  deny   bash {"command":"ls"}\n  A person refused. (decided by client; answered at tui)\n',
        '2026-11-24 01:02:03  deny   call_1\n  A person refused. (decided by client; class publishing (medium))\n',
      ].join(''),
    )
    expect(err).toBe('rxpi: these are the last 2 of 9\n')
    await begin(['audit', '/log.jsonl', '--json'], commands)
    await begin(['audit'], commands)
    expect(requests).toEqual([{ session: 'abcdefghij23' }, { file: '/log.jsonl' }, { session: 'abcdefghij23' }])
  })

  it('says that a log has none', async () => {
    const { out, err } = await begin(['audit', 'abcdefghij23'], { auditPolicy: () => of({ decisions: [], total: 0 }) })
    expect([out, err]).toEqual(['', 'rxpi: the log has no decisions\n'])
  })
})

it.each([
  ['git push', { command: 'git push' }],
  [' {"command":"ls"}', { command: 'ls' }],
  ['[ -f a ] && echo there', { command: '[ -f a ] && echo there' }],
  ['{ echo one; }', { command: '{ echo one; }' }],
  ['"./a tool" --help', { command: '"./a tool" --help' }],
  ['["ls"]', { command: '["ls"]' }],
])('the call of bash with %j has the arguments %j', (text, args) => {
  expect(parseCommandLine(['policy', 'explain', 'bash', text])).toMatchObject({ tool: 'bash', args })
  expect(parseCommandLine(['tool', 'bash', text])).toMatchObject({ name: 'bash', args })
})

it.each(['auto', 'off', 'read-only', 'workspace'])(
  'policy explain takes the sandbox %s, as a session does',
  (sandbox) => {
    const words = ['--sandbox', sandbox]
    expect(parseCommandLine(['policy', 'explain', 'bash', 'ls', ...words])).toMatchObject({ sandbox })
    expect(parseCommandLine(['-p', 'x', ...words])).toMatchObject({ choice: { sandbox } })
  },
)

describe('wrong usage', () => {
  it.each([
    [[], /policy needs explain, import or audit/],
    [['explian'], /rxpi policy explain/],
    [['explain'], /needs a tool and its arguments/],
    [['explain', 'bash', '{"command": "ls'], /the tool's arguments are/],
    [['explain', 'write', '{'], /the tool's arguments are/],
    [['explain', 'write', '[]'], /must be a JSON object/],
    [['explain', 'bash', '{}', 'x'], /unexpected argument "x"/],
    [['explain', 'bash', '--approve', 'never'], /--approve must be ask, writes or auto/],
    [['explain', 'bash', '--sandbox', 'on'], /--sandbox must be auto, off, read-only or workspace/],
    [['import'], /needs a file/],
    [['audit', 'a', 'b'], /takes one argument/],
    [['audit', '--write'], /no option --write/],
  ])('%j names the fault', (words, message) => {
    expect(() => parseCommandLine(['policy', ...words])).toThrow(message)
  })
})
