// Searches of 10⁵ files by grep and find, beside bare ripgrep in turns.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { rgPath } from '@vscode/ripgrep'
import type { Benchmark, Report, Target } from './report.ts'
import { median } from './statistics.ts'
import { milliseconds, toolSession } from './tool-session.ts'

const folderCount = 1_000
const filesPerFolder = 100
const rounds = 11
/** One of this many files has the word; `grep` shows 100 of the matches at most. */
const wordEvery = 2_000
const limit = 1.3

interface Search {
  readonly what: string
  readonly tool: 'grep' | 'find'
  readonly args: object
  /** The same question to ripgrep, which prints every answer. */
  readonly bare: readonly string[]
}

const common = ['--no-config', '--hidden', '--no-require-git']
const searches: readonly Search[] = [
  {
    what: 'grep, a word in 50 of 10⁵ files',
    tool: 'grep',
    args: { pattern: 'needle', literal: true },
    bare: [...common, '--line-number', '--fixed-strings', 'needle', '.'],
  },
  {
    what: 'grep, an expression that nothing matches',
    tool: 'grep',
    args: { pattern: 'absent[0-9]+' },
    bare: [...common, '--line-number', 'absent[0-9]+', '.'],
  },
  {
    what: 'find, 100 of 10⁵ files by a glob',
    tool: 'find',
    args: { pattern: '**/folder-7/*.txt' },
    bare: [...common, '--files', '.'],
  },
]

export const toolSearches: Benchmark = {
  name: 'searches',
  about: 'grep and find over 10⁵ files beside bare ripgrep, in turns',
  run: async ({ folder }) => {
    const tree = path.join(folder, 'tree')
    writeTree(tree)
    const call = toolSession(tree)
    const times: Times[] = []
    for (const search of searches) {
      const [ours, bare]: [number[], number[]] = [[], []]
      // the first round reads the files into memory and loads modules
      for (let round = 0; round <= rounds; round += 1) {
        bare.push(await milliseconds(() => runBare(tree, search.bare)))
        ours.push(await milliseconds(() => call(search.tool, search.args)))
      }
      times.push({ search, ours: ours.slice(1), bare: bare.slice(1) })
    }
    return report(times)
  },
}

function writeTree(tree: string): void {
  for (let folder = 0; folder < folderCount; folder += 1) {
    const at = path.join(tree, `part-${folder % 10}`, `folder-${folder}`)
    mkdirSync(at, { recursive: true })
    for (let file = 0; file < filesPerFolder; file += 1) {
      const isMarked = (folder * filesPerFolder + file) % wordEvery === 0
      const line = `line of ${folder} and ${file}\n`
      writeFileSync(path.join(at, `file-${file}.txt`), `${line.repeat(20)}${isMarked ? 'a needle\n' : ''}`)
    }
  }
}

/** @throws if ripgrep fails; exit code 1 means that nothing matches */
async function runBare(cwd: string, args: readonly string[]): Promise<void> {
  const child = spawn(rgPath, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  child.stdout.resume()
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0 && code !== 1) throw new Error(`ripgrep ended with ${code}`)
}

interface Times {
  readonly search: Search
  readonly ours: readonly number[]
  readonly bare: readonly number[]
}

function report(times: readonly Times[]): Report {
  return {
    tables: [
      {
        title: 'milliseconds (medians)',
        columns: [
          { title: 'search' },
          { title: 'tool', digits: 1 },
          { title: 'bare ripgrep', digits: 1 },
          { title: '×', digits: 2 },
        ],
        rows: times.map((each) => [each.search.what, median(each.ours), median(each.bare), ratioOf(each)]),
      },
    ],
    targets: times.map((each): Target => ({
      what: `${each.search.what} ÷ bare ripgrep`,
      measured: ratioOf(each),
      limit,
      unit: '×',
      sides: { unit: 'ms', rxpi: median(each.ours), floor: median(each.bare) },
    })),
    notes: [
      'both run the ripgrep of the package; the tool sorts, counts and shortens what it found',
      'find matches folders too and obeys .gitignore, so ripgrep lists all files for it; with a glob of its own, which does neither, it takes half of that time',
    ],
  }
}

function ratioOf({ ours, bare }: Times): number {
  return median(ours.map((time, round) => time / (bare[round] ?? NaN)))
}
