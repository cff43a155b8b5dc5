// The policy: time of one analysis of a shell command, and of one whole decision about a call.
import { firstValueFrom } from 'rxjs'
import { createPolicy } from '../lib/policy/decide/create-policy.ts'
import { createRuleSet } from '../lib/policy/rules/rule-set.ts'
import { analyseCommand } from '../lib/policy/shell/analyse-command.ts'
import type { Policy, PolicyRequest } from '../lib/streams/ports/policy.ts'
import type { Benchmark, Report } from './report.ts'
import { median } from './statistics.ts'

const where = { cwd: '/srv/project', home: '/home/ann' }
const rounds = 15

const commands: readonly (readonly [name: string, text: string])[] = [
  ['ls -la', 'ls -la'],
  ['npm test && git commit', 'npm test && git commit -m "fix: the parser" && git push'],
  ['find | xargs sed', "grep -rl foo src | xargs sed -i 's/foo/bar/g'"],
  ['nested shells', `sudo -u root env A=1 sh -c 'X=rm; for f in a b; do "$X" -rf "build/$f"; done'`],
  ['a script of 2 KB', 'if [ -f x ]; then cat x | sort | uniq -c > y; fi\n'.repeat(40)],
  ['a script of 30 KB', 'for f in src/*.ts; do wc -l "$f"; done\n'.repeat(400)],
]

export const policy: Benchmark = {
  name: 'policy',
  about: 'one analysis of a shell command, and one decision about a call, before it runs',
  run: async () => {
    const policy = await loadedPolicy()
    return report(
      commands.map(([name, text]) => [name, text.length, microseconds(() => analyseCommand(text, where))] as const),
      decisions(policy),
    )
  },
}

const workspace = process.cwd()

/** The policy of a session with rules, in this folder; its parser is loaded. */
async function loadedPolicy(): Promise<Policy> {
  const written = {
    allow: [...['test', 'run *', 'ci'].map((words) => `bash(npm ${words})`), ...'abcdefgh'.split('').map((name) => `write(./src/${name}/**)`)], // prettier-ignore
    ask: ['bash(git push *)', 'bash(docker *)', 'web_fetch'],
    deny: ['read(.env)', 'read(./secrets/**)', 'bash(npm publish *)', 'write(./dist/**)'],
  }
  const rules = createRuleSet(written, { folder: workspace, home: where.home }, { source: 'user', file: 'settings.json' }) // prettier-ignore
  const surroundings = { workspace, homeFolder: where.home, rxpiFolders: [`${where.home}/.local/state/rxpi`] }
  const policy = createPolicy({ rules, surroundings })
  await firstValueFrom(policy.decide(bashCall('ls')), { defaultValue: undefined })
  return policy
}

function bashCall(command: string): PolicyRequest {
  return { tool: { name: 'bash', capability: 'exec' }, args: { command }, cwd: workspace, mode: 'writes', isSandboxed: false } // prettier-ignore
}

function decisions(policy: Policy): readonly (readonly [string, number, number])[] {
  const path = 'lib/policy/decide/decide.ts'
  const edit: PolicyRequest = {
    ...bashCall(''),
    tool: { name: 'edit', capability: 'write' },
    args: { path, edits: [] },
  }
  const read: PolicyRequest = { ...bashCall(''), tool: { name: 'read', capability: 'read' }, args: { path } }
  const calls = [
    ['read a file', read, path.length],
    ['edit a file', edit, path.length],
    ...commands.map(([name, text]) => [name, bashCall(text), text.length] as const),
  ] as const
  return calls.map(([name, request, length]) => [name, length, microseconds(() => policy.decide(request).subscribe())])
}

/** Median of some rounds, each long enough for the clock. */
function microseconds(work: () => unknown): number {
  const once = (count: number): number => {
    const began = performance.now()
    for (let index = 0; index < count; index += 1) work()
    return performance.now() - began
  }
  once(50) // the compiler warms up, as it does in a server that lives for hours
  const count = Math.max(1, Math.min(2_000, Math.round(50 / once(1))))
  return median(Array.from({ length: rounds }, () => (once(count) / count) * 1_000))
}

type Row = readonly [name: string, length: number, microseconds: number]

function report(analyses: readonly Row[], decided: readonly Row[]): Report {
  const columns = [{ title: 'call' }, { title: 'characters' }, { title: 'µs', digits: 1 }]
  return {
    tables: [
      { title: 'microseconds of one analysis', columns, rows: analyses },
      { title: 'microseconds of one decision, with 18 rules, the analysis and the look at real paths', columns, rows: decided }, // prettier-ignore
    ],
    targets: [
      { what: 'dearest analysis of a command of one line', measured: dearest(analyses), limit: 1, unit: 'ms' },
      { what: 'dearest decision about a call of one line', measured: dearest(decided), limit: 1, unit: 'ms' },
    ],
    notes: [
      'the analysis reads no disk; a command over 64 KiB or 2,000 parts ends as unknown',
      'a script costs about 6 µs a simple command, spread over its parsing, expansion and twelve classifiers',
    ],
  }
}

function dearest(rows: readonly Row[]): number {
  return Math.max(...rows.filter(([, length]) => length < 1_000).map(([, , time]) => time)) / 1_000
}
