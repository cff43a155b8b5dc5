// The analysis of shell commands: time of one call, for short, usual and long commands.
import { analyseCommand } from '../lib/policy/shell/analyse-command.ts'
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
  about: 'one analysis of a shell command before it runs',
  run: () => Promise.resolve(report(commands.map(([name, text]) => [name, text.length, microseconds(text)] as const))),
}

/** Median of some rounds, each long enough for the clock. */
function microseconds(text: string): number {
  const once = (count: number): number => {
    const began = performance.now()
    for (let index = 0; index < count; index += 1) analyseCommand(text, where)
    return performance.now() - began
  }
  once(50) // the compiler warms up, as it does in a server that lives for hours
  const count = Math.max(1, Math.min(2_000, Math.round(50 / once(1))))
  return median(Array.from({ length: rounds }, () => (once(count) / count) * 1_000))
}

function report(rows: readonly (readonly [string, number, number])[]): Report {
  const slowest = Math.max(...rows.filter(([, length]) => length < 1_000).map(([, , time]) => time))
  return {
    tables: [
      {
        title: 'microseconds of one analysis',
        columns: [{ title: 'command' }, { title: 'characters' }, { title: 'µs', digits: 1 }],
        rows,
      },
    ],
    targets: [{ what: 'dearest analysis of a command of one line', measured: slowest / 1_000, limit: 1, unit: 'ms' }],
    notes: ['the analysis reads no disk; a command over 64 KiB or 2,000 parts ends as unknown'],
  }
}
