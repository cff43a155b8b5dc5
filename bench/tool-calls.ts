// Calls of tools beside the bare work: reading 10⁵ lines in parts, and a command beside a bare spawn.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Benchmark, Report } from './report.ts'
import { median } from './statistics.ts'
import { milliseconds, toolSession } from './tool-session.ts'
import type { Call } from './tool-session.ts'

const lineCount = 100_000
/** Lines of one call: the most that `read` shows. */
const pageLines = 2_000
const readRounds = 9
const commandRounds = 61

export const toolCalls: Benchmark = {
  name: 'calls',
  about: '10⁵ lines by read, and bash -c beside a bare spawn, in turns',
  run: async ({ folder }) => {
    const call = toolSession(folder)
    const file = path.join(folder, 'lines.txt')
    writeFileSync(file, Array.from({ length: lineCount }, (_, line) => `line ${line}, some text\n`).join(''))
    return report(await readTimes(file, call), await commandTimes(folder, call))
  },
}

interface ReadTimes {
  /** All lines, one call after the other. */
  readonly all: number[]
  /** The last lines, in one call. */
  readonly last: number[]
  /** The file in one piece, by Node. */
  readonly bare: number[]
}

async function readTimes(file: string, call: Call): Promise<ReadTimes> {
  const times: ReadTimes = { all: [], last: [], bare: [] }
  const page = (offset: number): Promise<unknown> => call('read', { path: file, offset, limit: pageLines })
  for (let round = 0; round < readRounds; round += 1) {
    times.all.push(
      await milliseconds(async () => {
        for (let offset = 1; offset < lineCount; offset += pageLines) await page(offset)
      }),
    )
    times.last.push(await milliseconds(() => page(lineCount - pageLines + 1)))
    times.bare.push(await milliseconds(async () => (await readFile(file, 'utf8')).split('\n')))
  }
  return times
}

interface CommandTimes {
  readonly tool: number[]
  readonly bare: number[]
}

async function commandTimes(cwd: string, call: Call): Promise<CommandTimes> {
  const times: CommandTimes = { tool: [], bare: [] }
  for (let round = 0; round < commandRounds; round += 1) {
    times.bare.push(await milliseconds(() => bareSpawn(cwd)))
    times.tool.push(await milliseconds(() => call('bash', { command: 'echo done' })))
  }
  // the first one starts the guardian and loads modules
  return { tool: times.tool.slice(1), bare: times.bare.slice(1) }
}

async function bareSpawn(cwd: string): Promise<void> {
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe']
  const child = spawn('/bin/bash', ['-c', 'echo done'], { cwd, stdio, detached: true })
  child.stdout.resume()
  child.stderr.resume()
  await once(child, 'close')
}

function report(read: ReadTimes, command: CommandTimes): Report {
  const ratio = median(command.tool.map((time, round) => time / (command.bare[round] ?? NaN)))
  return {
    tables: [
      {
        title: 'milliseconds (medians)',
        columns: [{ title: 'work' }, { title: 'ms', digits: 1 }],
        rows: [
          ['read, 10⁵ lines in 50 calls', median(read.all)],
          ['read, the last 2,000 of 10⁵ lines', median(read.last)],
          ['the file in one piece, bare Node', median(read.bare)],
          ['bash, echo done', median(command.tool)],
          ['the same command, bare spawn', median(command.bare)],
        ],
      },
    ],
    targets: [
      { what: 'read of 10⁵ lines, 50 calls', measured: median(read.all), limit: 250, unit: 'ms' },
      { what: 'read of the last 2,000 of 10⁵ lines', measured: median(read.last), limit: 10, unit: 'ms' },
      {
        what: 'bash, round trip ÷ bare spawn',
        measured: ratio,
        limit: 1.5,
        unit: '×',
        sides: { unit: 'ms', rxpi: median(command.tool), floor: median(command.bare) },
      },
    ],
    notes: ['a call of read shows 2,000 lines at most, and finds its first line from the beginning of the file'],
  }
}
