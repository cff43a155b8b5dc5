// Measures a command: wall time of undisturbed runs, CPU time and peak memory from other runs.
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Workspace } from './report.ts'
import { runCommand } from './run-command.ts'
import type { Command } from './run-command.ts'

/** One figure a round. */
export interface CommandCost {
  readonly name: string
  readonly wallMs: number[]
  /** Of all its Node processes. */
  readonly cpuMs: number[]
  /** Of its first process. */
  readonly peakMiB: number[]
}

export interface CommandCostOptions {
  readonly commands: readonly Command[]
  readonly rounds: number
}

/** The commands run one after the other, twice a round, so that a slow phase affects all; each has run before. */
export async function commandCosts(
  workspace: Workspace,
  { commands, rounds }: CommandCostOptions,
): Promise<CommandCost[]> {
  const costs = commands.map(({ name }): CommandCost => ({ name, wallMs: [], cpuMs: [], peakMiB: [] }))
  for (let round = 0; round < rounds; round++) {
    for (const [index, command] of commands.entries()) {
      const cost = costs[index]
      const { wallMs } = await runCommand(workspace, command)
      const { cpuMs, peakMiB } = await usage(workspace, command)
      cost?.wallMs.push(wallMs)
      cost?.cpuMs.push(cpuMs)
      cost?.peakMiB.push(peakMiB)
    }
  }
  return costs
}

interface Usage {
  readonly cpuMs: number
  readonly peakMiB: number
}

async function usage(workspace: Workspace, command: Command): Promise<Usage> {
  const file = path.join(workspace.folder, 'usage.jsonl')
  const preload = path.join(workspace.root, 'bench/report-usage.cjs')
  const { pid } = await runCommand(workspace, command, {
    NODE_OPTIONS: `--require ${JSON.stringify(preload)}`,
    RXPI_BENCH_USAGE: file,
  })
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  rmSync(file)
  const processes = lines.map((line) => JSON.parse(line) as Usage & { readonly pid: number })
  const first = processes.find((each) => each.pid === pid)
  if (first === undefined) throw new Error(`${command.name} reported no usage: it ended without an 'exit' event`)
  return { cpuMs: processes.reduce((sum, { cpuMs }) => sum + cpuMs, 0), peakMiB: first.peakMiB }
}
