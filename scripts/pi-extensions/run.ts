// Plays pi's example extensions in pi and in rxpi; `npm run pi-extensions [-- words of a name …]`.
import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { installPi, piVersion } from '../../bench/pi-install.ts'
import { withWorkspace } from '../../bench/workspace.ts'
import type { Workspace } from '../../bench/report.ts'
import { copyExamples } from './list-examples.ts'
import type { Example } from './list-examples.ts'
import { playInChild } from './play-in-child.ts'
import type { ChildOutcome } from './play-in-child.ts'
import { situations } from './situations/all-situations.ts'

const root = path.resolve(import.meta.dirname, '../..')
const words = process.argv.slice(2).filter((word) => !word.startsWith('-'))
const option = (name: string): string | undefined =>
  process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)

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
  const records: Record<string, unknown> = {}
  let failed = 0
  for (const example of chosen) {
    const { name } = example
    await installDependencies(example)
    const pi = await playBoth(workspace, { example, packageFolder, examples })
    records[name] = pi
    for (const file of Object.keys(situations[name]?.files ?? {}))
      if (path.isAbsolute(file)) rmSync(file, { force: true })
    const problem = problemOf(pi.with)
    if (problem !== undefined) failed += 1
    console.log(
      `  ${problem === undefined ? 'played' : 'FAILED'}  ${name}${problem === undefined ? '' : `: ${problem}`}`,
    )
  }
  const target = option('json')
  if (target !== undefined) {
    mkdirSync(path.dirname(path.resolve(target)), { recursive: true })
    writeFileSync(target, `${JSON.stringify(records, null, 2)}\n`)
  }
  return failed === 0 ? 0 : 1
}

async function playBoth(
  workspace: Workspace,
  { example: { name, entry }, packageFolder, examples }: { example: Example; packageFolder: string; examples: string },
): Promise<{ with: ChildOutcome; without: ChildOutcome }> {
  const situation = situations[name]
  if (situation === undefined) throw new Error(`The example ${name} has no situation`)
  const request = { side: 'pi', name, packageFolder, examples, situation } as const
  const [withIt, without] = await Promise.all([
    playInChild(workspace, { ...request, extension: entry }),
    playInChild(workspace, { ...request, extension: undefined }),
  ])
  return { with: withIt, without }
}

function problemOf(outcome: ChildOutcome): string | undefined {
  return 'crashed' in outcome ? outcome.crashed : outcome.loadError
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
