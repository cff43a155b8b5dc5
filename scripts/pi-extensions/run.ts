// Plays pi's example extensions in pi and in rxpi; `npm run pi-extensions [-- words of a name …]`.
// `--page` writes docs/pi-extensions.md. `--json=FILE` writes the records. `--pi=FILE` takes those of pi from a file, and adds what is missing there.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { installPi, piVersion } from '../../bench/pi-install.ts'
import type { Workspace } from '../../bench/report.ts'
import { withWorkspace } from '../../bench/workspace.ts'
import { formatText } from '../shared/format-text.ts'
import { examplesPage } from './compare/examples-page.ts'
import { judgeExample } from './compare/judge-example.ts'
import type { Judgement, Played } from './compare/judge-example.ts'
import { copyExamples } from './list-examples.ts'
import type { Example } from './list-examples.ts'
import { packagesHeading } from './packages/packages-section.ts'
import { playInChild } from './play-in-child.ts'
import { situations } from './situations/all-situations.ts'

const root = path.resolve(import.meta.dirname, '../..')
const words = process.argv.slice(2).filter((word) => !word.startsWith('-'))
const option = (name: string): string | undefined =>
  process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)

/** The records of pi by example. */
const earlier = earlierRecords()

function earlierRecords(): Record<string, Played['pi']> {
  const file = option('pi')
  return file !== undefined && existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Played['pi']>)
    : {}
}

await withWorkspace(root, async (workspace) => {
  const pi = await installPi(workspace)
  if ('missing' in pi) console.log(`skipped: ${pi.missing}`)
  else process.exitCode = await playAll(workspace, path.join(pi.packages, 'pi-coding-agent'))
})

async function playAll(workspace: Workspace, packageFolder: string): Promise<number> {
  const examples = path.join(workspace.folder, 'examples')
  const all = copyExamples(packageFolder, examples)
  const chosen = all.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
  console.log(`pi ${piVersion}: ${chosen.length} of ${all.length} examples\n`)
  const played: Record<string, Played & { readonly judgement: Judgement }> = {}
  for (const example of chosen) {
    const { name } = example
    await installDependencies(example)
    const outcome = await playBoth(workspace, { example, packageFolder, examples })
    const judgement = judgeExample(name, outcome)
    played[name] = { ...outcome, judgement }
    console.log(`  ${judgement.kind.padEnd(7)}  ${name}${judgement.why === '' ? '' : `: ${judgement.why}`}`)
  }
  write(option('json'), played)
  write(option('pi'), earlier)
  if (process.argv.includes('--page') && chosen.length === all.length) {
    const judgements = Object.fromEntries(Object.entries(played).map(([name, { judgement }]) => [name, judgement]))
    const page = path.join(root, 'docs/pi-extensions.md')
    writeFileSync(page, await formatText(page, `${examplesPage(piVersion, judgements)}\n${publishedSection(page)}`))
  }
  const count = (kind: Judgement['kind']): number => Object.values(played).filter(({ judgement }) => judgement.kind === kind).length // prettier-ignore
  console.log(`\n${count('same')} the same, ${count('differs')} with a named difference, ${count('fails')} not`)
  return Object.values(played).some(({ judgement }) => judgement.unlisted.length > 0) ? 1 : 0
}

/** What `npm run pi-packages -- --page` wrote stays. */
function publishedSection(page: string): string {
  const text = readFileSync(page, 'utf8')
  const start = text.indexOf(packagesHeading)
  return start === -1 ? '' : text.slice(start)
}

function write(file: string | undefined, value: unknown): void {
  if (file !== undefined) writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
}

interface ExampleRun {
  readonly example: Example
  readonly packageFolder: string
  readonly examples: string
}

async function playBoth(
  workspace: Workspace,
  { example: { name, entry }, packageFolder, examples }: ExampleRun,
): Promise<Played> {
  const situation = situations[name]
  if (situation === undefined) throw new Error(`The example ${name} has no situation`)
  const request = { name, packageFolder, examples, situation }
  const play = (side: 'pi' | 'rxpi', mode: 'tui' | 'rpc', extension: string | undefined) => {
    for (const file of Object.keys(situation.files ?? {})) if (path.isAbsolute(file)) rmSync(file, { force: true })
    return playInChild(workspace, { ...request, side, mode, extension })
  }
  const playPi = async (): Promise<Played['pi']> => {
    const [tui, without] = await Promise.all([play('pi', 'tui', entry), play('pi', 'tui', undefined)])
    return { tui, without, rpc: await play('pi', 'rpc', entry) }
  }
  const pi = (earlier[name] ??= await playPi())
  if (process.argv.includes('--only-pi')) return { pi, rxpi: { with: pi.tui, without: pi.without } }
  const [own, ownWithout] = await Promise.all([play('rxpi', 'rpc', entry), play('rxpi', 'rpc', undefined)])
  for (const file of Object.keys(situation.files ?? {})) if (path.isAbsolute(file)) rmSync(file, { force: true })
  return { pi, rxpi: { with: own, without: ownWithout } }
}

/** A package that cannot be installed is missing on both sides. */
async function installDependencies({ name, folder }: Example): Promise<void> {
  if (folder === undefined || situations[name]?.install !== true) return
  const flags = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--omit=dev']
  try {
    await promisify(execFile)('npm', flags, { cwd: folder, timeout: 120_000 })
  } catch (error) {
    console.log(`  ${name}: its packages could not be installed: ${error instanceof Error ? error.message.split('\n')[0] ?? '' : String(error)}`) // prettier-ignore
  }
}
