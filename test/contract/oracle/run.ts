// Plays the same situations with pi's agent and ours; each difference must be listed.
// `npm run oracle [-- words of a name …]`.
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { withWorkspace } from '../../../bench/workspace.ts'
import { compare } from './compare.ts'
import type { AgentTrace } from './agent-trace.ts'
import { differencesPage } from './differences-page.ts'
import { piAgentVersion, piModule } from './pi-module.ts'
import type { PiModule } from './pi-shapes.ts'
import { playPi } from './play-pi.ts'
import { eventsOfOurOwn, playRxpi } from './play-rxpi.ts'
import { sideBySide } from './side-by-side.ts'
import type { Situation } from './situation.ts'
import { situations } from './situations/index.ts'
import { wordingOf, wordings } from './wordings.ts'

/** A situation that takes longer hangs: none of them depends on a clock. */
const limitMs = 10_000
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..')
const words = process.argv.slice(2).filter((word) => !word.startsWith('-'))
const shows = process.argv.includes('--show')

if (process.argv.includes('--tables')) console.log(differencesPage(situations))
else {
  await withWorkspace(root, async (workspace) => {
    const pi = await piModule(workspace)
    if ('missing' in pi) console.log(`skipped: ${pi.missing}`)
    else process.exitCode = await play(pi)
  })
}

async function play(pi: PiModule): Promise<number> {
  const chosen = situations.filter(({ name }) => words.every((word) => name.includes(word)))
  const used = { pi: new Set<string>(), ours: new Set<string>(), events: new Set<string>() }
  const counts = { same: 0, differing: 0, failed: 0 }
  console.log(`pi ${piAgentVersion} and rxpi in ${chosen.length} situations\n`)
  for (const situation of chosen) {
    const theirs = await withTimeLimit(
      'pi',
      playPi(
        pi,
        situation,
        wordingOf('pi', (kind) => used.pi.add(kind)),
      ),
    )
    const wording = wordingOf('ours', (kind) => used.ours.add(kind))
    const ours = await withTimeLimit('ours', playRxpi(situation, { wording, leftOut: (type) => used.events.add(type) }))
    counts[report(situation, theirs, ours)] += 1
  }
  if (words.length === 0) counts.failed += reportUnused(used)
  console.log(`\n${counts.same} the same, ${counts.differing} differ as listed, ${counts.failed} failed`)
  return counts.failed === 0 && chosen.length > 0 ? 0 : 1
}

function report(situation: Situation, pi: AgentTrace, ours: AgentTrace): 'same' | 'differing' | 'failed' {
  const { unlisted, gone, listed } = compare(pi, ours, situation.differs)
  const reasons = [...new Set(listed.map(({ because }) => because))].join(', ')
  if (unlisted.length + gone.length === 0) {
    console.log(`  ${listed.length === 0 ? 'same   ' : 'differs'}  ${situation.name}${reasons && `: ${reasons}`}`)
    if (shows) console.log(`\n${sideBySide(pi, ours)}\n`)
    return listed.length === 0 ? 'same' : 'differing'
  }
  console.log(`  FAILED   ${situation.name}\n`)
  for (const { part, pi: theirs, ours: mine } of unlisted)
    console.log(`not listed: ${JSON.stringify({ part, pi: theirs, ours: mine })}`)
  for (const { part, pi: theirs, ours: mine } of gone)
    console.log(`listed, but gone: ${JSON.stringify({ part, pi: theirs, ours: mine })}`)
  console.log(`\n${sideBySide(pi, ours)}\n`)
  return 'failed'
}

/** A wording or event that no situation needed is no difference any more. */
function reportUnused(used: Readonly<Record<'pi' | 'ours' | 'events', ReadonlySet<string>>>): number {
  const unused = [
    ...wordings.flatMap((wording) =>
      (['pi', 'ours'] as const)
        .filter((side) => wording[side] !== undefined && !used[side].has(wording.kind))
        .map((side) => `${side} never said <${wording.kind}>`),
    ),
    ...Object.keys(eventsOfOurOwn)
      .filter((type) => !used.events.has(type))
      .map((type) => `ours never told ${type}`),
  ]
  for (const line of unused) console.log(`  FAILED   ${line}`)
  return unused.length
}

async function withTimeLimit(agentName: string, trace: Promise<AgentTrace>): Promise<AgentTrace> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<AgentTrace>((resolve) => {
    const hangs = [`${agentName} hangs`]
    timer = setTimeout(() => resolve({ events: hangs, requests: [], tools: [], transcript: [], promises: [] }), limitMs)
  })
  return Promise.race([trace, late]).finally(() => clearTimeout(timer))
}
