// Builds docs/performance.md from the results of one run: wanted rows first, then other targets.
import { machineText } from '../machine.ts'
import { isReached, targetText } from '../report-text.ts'
import type { Target } from '../report.ts'
import type { BenchmarkResult, Results } from './results.ts'
import { shortfalls } from './shortfalls.ts'
import { wantedRows } from './wanted-rows.ts'
import type { WantedRow } from './wanted-rows.ts'

interface Row {
  readonly title: string
  readonly benchmark: string
  /** The target's name. */
  readonly what: string
  /** Absent if its benchmark failed. */
  readonly target?: Target
}

/** Markdown, ended with a line feed. */
export function performancePage(results: Results): string {
  const wanted = wantedRows.flatMap((row) => rowsOf(row, results))
  const shown = new Set(wanted.map(({ target }) => target))
  const others = results.benchmarks.flatMap(({ name, report }) =>
    (report?.targets ?? []).map((target): Row => ({
      title: `\`${name}\``,
      benchmark: name,
      what: target.what,
      target,
    })),
  )
  const further = others.filter(({ target }) => !shown.has(target))
  return [
    ...head(results, [...wanted, ...further]),
    '## Targets',
    '',
    ...table(wanted, results.pi),
    ...missed(wanted),
    '## Further targets',
    '',
    ...table(further, results.pi),
    ...missed(further),
    '## Method',
    '',
    ...results.benchmarks.flatMap(measured),
  ].join('\n')
}

/** Returns the targets of the run that a wanted row names. */
function rowsOf({ title, benchmark, targets }: WantedRow, { benchmarks }: Results): Row[] {
  const found = benchmarks.find(({ name }) => name === benchmark)?.report?.targets
  return targets.flatMap((name): Row[] => {
    const all = found?.filter(({ what }) => (name.endsWith('…') ? what.startsWith(name.slice(0, -1)) : what === name))
    return all === undefined || all.length === 0
      ? [{ title, benchmark, what: name }]
      : all.map((target) => ({ title, benchmark, what: target.what, target }))
  })
}

function head({ date, rxpi, pi, machine, loadAfter, minutes }: Results, rows: readonly Row[]): string[] {
  const count = (verdict: boolean | undefined): number =>
    rows.filter(({ target }) => (target === undefined ? undefined : isReached(target)) === verdict).length
  return [
    '# Performance',
    '',
    'How fast is rxpi, compared with pi and with a bare Node program? `npm run bench` runs all benchmarks and writes this page.',
    '`npm run bench -- NAME` prints one benchmark.',
    '',
    `- ${date}, ${minutes.toFixed(0)} minutes: rxpi ${rxpi} beside pi ${pi}`,
    `- ${machineText(machine)} before, ${loadAfter.toFixed(1)} after the run`,
    `- **${count(true)} targets reached, ${count(false)} missed${count(undefined) === 0 ? '' : `, ${count(undefined)} not measured`}**`,
    '',
    'Times differ on another machine and under load; ratios differ less. `A ÷ B` is the ratio of two figures; in each target, less is better.',
    'The columns rxpi, pi and bare Node are medians. Bare Node is the least program that could do the same. `measured` is the median of the',
    'ratios of rounds that ran side by side, or an absolute figure.',
    '',
  ]
}

function table(rows: readonly Row[], pi: string): string[] {
  return [
    `| topic | target | rxpi | pi ${pi} | bare Node | measured | limit | result |`,
    '| --- | --- | ---: | ---: | ---: | ---: | ---: | --- |',
    ...rows.map(({ title, what, target }, index) => {
      const cells = target === undefined ? [what, '–', '–', '–', '–', '–', 'not measured'] : targetCells(target)
      return `| ${[rows[index - 1]?.title === title ? '' : title, ...cells].join(' | ')} |`
    }),
    '',
  ]
}

function targetCells(target: Target): string[] {
  const { rxpi, pi, floor, unit = '' } = target.sides ?? {}
  const { measured, limit, verdict } = targetText(target)
  const strong = isReached(target) === false ? `**${verdict.toLowerCase()}**` : verdict
  return [target.what, ...[rxpi, pi, floor].map((value) => sideText(value, unit)), measured, limit, strong]
}

/** Three significant digits, or all before the point. */
function sideText(value: number | undefined, unit: string): string {
  if (value === undefined) return '–'
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return `${value.toLocaleString('en-GB', { minimumFractionDigits: digits, maximumFractionDigits: digits })}${unit}`
}

function missed(rows: readonly Row[]): string[] {
  const short = rows.filter(({ target }) => target !== undefined && isReached(target) === false)
  if (short.length === 0) return []
  return [
    'Missed:',
    '',
    ...short.map(({ benchmark, target }) => `- ${target?.what ?? ''}: ${whyOf(benchmark, target?.what)}`),
    '',
  ]
}

function whyOf(benchmark: string, what: string | undefined): string {
  const found = shortfalls.find((each) => each.benchmark === benchmark && each.target === what)
  return found?.why ?? 'not explained yet.'
}

function measured({ name, about, minutes, measuredAt, report, failure }: BenchmarkResult): string[] {
  const notes = (report?.notes ?? []).map((note) => `  - ${note}`)
  const failed = failure === undefined ? [] : [`  - **It failed in this run:** ${failure.replaceAll('\n', ' ')}`]
  return [
    `- \`${name}\` (${minutes.toFixed(1)} min${measuredAt === undefined ? '' : `, again at ${measuredAt}`}): ${about}`,
    ...failed,
    ...notes,
    '',
  ]
}
