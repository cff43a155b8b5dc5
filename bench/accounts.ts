// The cost of accounts and vendors: what a start loads of them, and a request with a token beside one with a key.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { catalogueLoaders, catalogueSource } from '../lib/providers/catalogue-data/index.ts'
import { catalogueFile, catalogueText } from '../lib/providers/catalogue/catalogue-file.ts'
import type { RequestCosts } from './account-requests-program.ts'
import { runBundled } from './bundled-program.ts'
import { commandCosts } from './command-cost.ts'
import type { CommandCost } from './command-cost.ts'
import { compareFigures } from './compare-figures.ts'
import { loadedParts } from './loaded-parts.ts'
import type { LoadedParts } from './loaded-parts.ts'
import { startMockModel } from './mock-model.ts'
import type { Benchmark, Report } from './report.ts'
import type { Command } from './run-command.ts'
import { runCommand } from './run-command.ts'
import { ourCommands, prepare } from './start.ts'
import { median, medianRatio } from './statistics.ts'

const rounds = 9

export const accounts: Benchmark = {
  name: 'accounts',
  about: 'parts of accounts and vendors that starts load, and requests with keys and with tokens of accounts',
  run: async (workspace) => {
    const model = await startMockModel(workspace)
    const surroundings = prepare(workspace, model)
    const { version, mock } = ourCommands(surroundings)
    const without: Command = { ...mock, name: 'rxpi -p with a key' }
    const withAccount = await signedIn(without, path.join(workspace.folder, 'signed-in'))
    const loads: LoadedParts[] = []
    for (const command of [version, without, withAccount]) {
      await runCommand(workspace, command) // also fills compile caches
      loads.push(await loadedParts(workspace, command))
    }
    const starts = await commandCosts(workspace, { commands: [without, withAccount], rounds })
    model.end()
    const [requests] = await runBundled<RequestCosts>(workspace, 'account-requests-program', [[]])
    return accountsReport(loads, starts, requests)
  },
}

/** The same command, by a person who has signed in to another vendor, and has fetched newer data of the catalogue. */
async function signedIn(command: Command, home: string): Promise<Command> {
  mkdirSync(home)
  const entry = { id: 'abcdefg2', origin: 'https://api.x.ai', tokens: { access: 'token' }, renewedAt: 1 }
  const file = { v: 1, providers: { xai: entry } }
  writeFileSync(path.join(home, 'accounts.json'), JSON.stringify(file), { mode: 0o600 })
  const lists = Object.entries(catalogueLoaders).map(async ([name, load]) => [name, (await load()).rows] as const)
  const source = { ...catalogueSource, at: 1 }
  const data = catalogueText({ source, integrity: 'sha512-' }, Object.fromEntries(await Promise.all(lists)))
  writeFileSync(catalogueFile(home), data, { mode: 0o600 })
  return { ...command, name: `${command.name} and an account`, env: { ...command.env, RXPI_HOME: home } }
}

export function accountsReport(
  loads: readonly LoadedParts[],
  [without, withAccount]: readonly CommandCost[],
  requests: RequestCosts | undefined,
): Report {
  return {
    tables: [loadTable(loads), ...(requests === undefined ? [] : [requestTable(requests)])],
    targets: [
      {
        what: 'parts of accounts and other vendors that starts load',
        measured: loads.reduce((sum, { parts }) => sum + parts.length, 0),
        limit: 0,
        unit: '',
      },
      compareFigures({
        what: '-p with an account of another vendor ÷ without, CPU time',
        unit: ' ms',
        ours: withAccount?.cpuMs,
        floor: without?.cpuMs,
        to: 'floor',
        limit: 1.05,
      }),
      compareFigures({
        what: 'request with the token of an account ÷ with a stored key, CPU',
        unit: ' µs',
        ours: requests?.token,
        floor: requests?.stored,
        to: 'floor',
        limit: 1.1,
      }),
    ],
    notes: [
      'parts: sign-ins, the OAuth library, and the APIs of Mistral, Bedrock, Google and Anthropic; the model is of OpenAI; the person with an account has fetched newer data of the catalogue too',
      'a request: key or token, request, fetch from memory, and the deltas of a short answer; files are read each time, because another process may have changed them',
    ],
  }
}

function loadTable(loads: readonly LoadedParts[]): Report['tables'][number] {
  return {
    title: 'files of modules that a start loads',
    columns: [{ title: 'command' }, { title: 'files' }, { title: 'parts of accounts and other vendors' }],
    rows: loads.map(({ command, files, parts }) => [command, files, parts.length === 0 ? 'none' : parts.join(', ')]),
  }
}

function requestTable({ variable, stored, token }: RequestCosts): Report['tables'][number] {
  const rows = { 'key of the environment': variable, 'stored key': stored, 'token of an account': token }
  return {
    title: 'µs of CPU a request (medians; all in turns)',
    columns: [{ title: 'sent with a' }, { title: 'µs', digits: 1 }, { title: '÷ key of the environment', digits: 2 }],
    rows: Object.entries(rows).map(([name, values]) => [name, median(values), medianRatio(values, variable)]),
  }
}
