// Opening: what 200 skills and 50 instruction files add to it, beside an equal folder without any.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { EMPTY, lastValueFrom } from 'rxjs'
import { openSessionCommands } from '../lib/session/create/session-commands.ts'
import { sessionPrompt } from '../lib/session/create/session-prompt.ts'
import { joinSections } from '../lib/streams/ports/prompt-sections.ts'
import { builtInTools } from '../lib/tools/index.ts'
import type { Benchmark, Report } from './report.ts'
import { median } from './statistics.ts'

const rounds = 25
const skillCount = 200
const instructionFiles = 50
const tools = builtInTools()

/** A home and a working folder as deep as there are instruction files. */
interface Workspace {
  readonly home: string
  readonly cwd: string
  /** Part of the prompt. */
  readonly expected: string
}

export const opening: Benchmark = {
  name: 'opening',
  about: `${rounds} openings of each folder in turns: skills, instruction files, prompt, watchers, in one process`,
  run: async ({ folder }) => {
    const places = {
      without: makeWorkspace(path.join(folder, 'without'), false),
      with: makeWorkspace(path.join(folder, 'with'), true),
    }
    const first = { without: await open(places.without), with: await open(places.with) }
    const times = { without: [] as number[], with: [] as number[] }
    for (let round = 0; round < rounds; round++) {
      times.without.push(await open(places.without))
      times.with.push(await open(places.with))
    }
    return report([
      ['without', first.without, median(times.without)],
      [`${skillCount} skills, ${instructionFiles} instruction files`, first.with, median(times.with)],
    ])
  },
}

function makeWorkspace(folder: string, isFull: boolean): Workspace {
  const write = (name: string, text: string): void => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
  write('repo/.git/HEAD', 'ref: refs/heads/main\n')
  write('home/.config/rxpi/settings.json', '{}')
  let below = 'repo'
  for (let level = 0; level < instructionFiles; level++) {
    below += `/level${level}`
    write(`${below}/code.ts`, '')
    if (isFull)
      write(`${below}/AGENTS.md`, `Rules of level ${level}.\n${'- Keep to the style of the file.\n'.repeat(30)}`)
  }
  const count = isFull ? skillCount : 0
  for (let index = 0; index < count; index++) {
    const head = `---\nname: skill-${index}\ndescription: Does the thing number ${index}, and says when.\n---\n`
    write(`home/.config/rxpi/skills/skill-${index}/SKILL.md`, `${head}${'A step of it.\n'.repeat(100)}`)
  }
  const expected = isFull ? 'Rules of level 49' : 'Branch: main'
  return { home: path.join(folder, 'home'), cwd: path.join(folder, below), expected }
}

/** Milliseconds from the folders to the first request, with the watchers that it begins. */
async function open({ home, cwd, expected }: Workspace): Promise<number> {
  const config = path.join(home, '.config/rxpi')
  const began = performance.now()
  const trust = { trusted: false, folder: cwd, digest: '' }
  const commands$ = openSessionCommands({ env: { HOME: home }, config, trust })
  const opened = await lastValueFrom(commands$, { defaultValue: undefined })
  const options = { cwd, createdAt: Date.now(), instructions: { configFolder: config }, skills: opened?.skills }
  const { sectionsFor, contextNotes } = sessionPrompt(options)
  const prompt = joinSections(sectionsFor(tools))
  await lastValueFrom(contextNotes?.due([]) ?? EMPTY, { defaultValue: undefined })
  const took = performance.now() - began
  contextNotes?.close()
  if (!prompt.includes(expected)) throw new Error(`the prompt lacks "${expected}"`)
  return took
}

function report(rows: readonly (readonly [string, number, number])[]): Report {
  const [without, full] = rows
  const columns = [{ title: 'folder' }, { title: 'first, ms', digits: 1 }, { title: 'median, ms', digits: 1 }]
  return {
    tables: [{ title: 'milliseconds of one opening', columns, rows }],
    targets: [
      {
        what: 'opening with 200 skills and 50 instruction files, more than without',
        measured: without && full && full[2] - without[2],
        limit: 30,
        unit: ' ms',
      },
    ],
    notes: ['The first opening of each folder also fills the caches of the system, and V8 has compiled nothing yet.'],
  }
}
