// Writes the section of docs/pi-extensions.md about published packages.
import type { PackageRecord, StepRecord } from './package-record.ts'

/** The heading of the section, which is the last one of the page. */
export const packagesHeading = '## Published packages'

/** @param records in the order of the list */
export function packagesSection(records: readonly PackageRecord[]): string {
  const rows = records.map((record) => {
    const { tools, commands } = counts(record.steps)
    return `| ${record.package} | ${record.version} | ${tools} | ${commands} | ${verdict(record)} |`
  })
  return `${packagesHeading}

\`npm run pi-packages -- --page\` installs each package as a person does, trusts it, opens a session over the protocol with a screen and a scripted model, uses
each tool with the least arguments, and calls each command without any. Nothing of it reaches a network. A package that asks for a program or a key that is not there
says so, as in pi.

| Package | Version | Tools | Commands | In rxpi |
| --- | --- | --- | --- | --- |
${rows.join('\n')}
`
}

function counts(steps: readonly StepRecord[]): { readonly tools: number; readonly commands: number } {
  const count = (kind: string): number => steps.filter(({ step }) => step.startsWith(`${kind} `)).length
  return { tools: count('tool'), commands: count('command') }
}

/** What a reader has to know: what failed, else what differs. */
export function verdict({ failed, opening, steps, ending, unloaded }: PackageRecord): string {
  const all = [...opening, ...steps.flatMap(({ effects }) => effects)]
  const notLoaded = all.find((line) => line.startsWith('warning extension_failed') && line.includes('failed in setup'))
  if (failed !== undefined) return `does not: ${escape(failed)}`
  if (notLoaded !== undefined) return `does not load: ${escape(notLoaded.replace(/^.*?failed in setup: /, ''))}`
  if (ending !== '0') return `ended the server: ${escape(ending.slice(0, 200))}`
  const silent = steps.filter(({ effects, failed: why }) => effects.length === 0 && why === undefined)
  const lacking = named(all, /(\S+) of (?:pi-[\w-]+ of pi|pi) is not available/)
  const broken = steps.filter(({ failed: why }) => why !== undefined && !why.includes('is not available in rxpi'))
  const differing = named(all, /: (.+?) of pi differs in rxpi/)
  const parts = [
    ...(lacking.length === 0 ? [] : [`lacks ${lacking.join(', ')}, by a named failure`]),
    ...broken.map(({ step, failed: why = '' }) => `${step} fails: ${why}`),
    ...silent.map(({ step }) => `${step} shows nothing`),
    ...(differing.length === 0 ? [] : [`named differences: ${differing.join(', ')}`]),
    ...unloaded.map((why) => `reported: ${why}`),
  ]
  if (parts.length > 0) return `runs; ${escape(parts.join('; '))}`
  return steps.length === 1 ? 'brings nothing that a session shows, and says so when it is installed' : 'runs'
}

function named(lines: readonly string[], pattern: RegExp): string[] {
  return [...new Set(lines.flatMap((line) => pattern.exec(line)?.[1] ?? []))]
}

function escape(text: string): string {
  return text
    .replaceAll('|', '\\|')
    .replaceAll(/\s+/g, ' ')
    .replace(/[<>*_[\]]/g, (mark) => `\\${mark}`)
}
