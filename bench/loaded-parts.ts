// Finds which parts of accounts and of vendors a command loads, by texts that only these parts contain.
import { readFileSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Workspace } from './report.ts'
import { runCommand } from './run-command.ts'
import type { Command } from './run-command.ts'

/** A part, and a text of its own. Bundles keep texts, whatever they call their files. */
export const parts: readonly { readonly name: string; readonly text: string }[] = [
  { name: 'sign-ins of vendors', text: 'app_EMoamEEZ73f0CkXaXp7hrann' },
  { name: 'OAuth library', text: 'use_mtls_endpoint_aliases' },
  { name: 'API of Mistral', text: 'x-affinity' },
  { name: 'API of Bedrock', text: 'application/vnd.amazon.eventstream' },
  { name: 'signatures of AWS', text: 'AWS4-HMAC-SHA256' },
  { name: 'API of Google', text: 'generateContentStream' },
  { name: 'API of Anthropic', text: 'redacted_thinking' },
  { name: 'updates of the catalogue', text: 'names no SHA-512 of ' },
  { name: 'tar library', text: 'Invalid tar header checksum' },
]

export interface LoadedParts {
  readonly command: string
  /** The number of files. */
  readonly files: number
  /** The names of the parts that are loaded. */
  readonly parts: readonly string[]
}

/** Runs the command once. */
export async function loadedParts(workspace: Workspace, command: Command): Promise<LoadedParts> {
  const list = path.join(workspace.folder, 'files.jsonl')
  const preload = path.join(workspace.root, 'bench/list-loaded-files.cjs')
  await runCommand(workspace, command, {
    NODE_OPTIONS: `--require ${JSON.stringify(preload)}`,
    RXPI_BENCH_FILES: list,
  })
  const lines = readFileSync(list, 'utf8').trim().split('\n')
  rmSync(list)
  const urls = new Set(lines.flatMap((line) => JSON.parse(line) as string[]))
  const files = [...urls].map((url) => fileURLToPath(url))
  checkTexts(files.filter((file) => file.includes(`${path.sep}command${path.sep}`)))
  const found = partsIn(files)
  return { command: command.name, files: urls.size, parts: found.map(({ name }) => name) }
}

function partsIn(files: readonly string[]): typeof parts {
  const texts = files.map((file) => readFileSync(file, 'utf8'))
  return parts.filter(({ text }) => texts.some((each) => each.includes(text)))
}

/** A text that no file of the build has would find nothing, whatever is loaded. */
function checkTexts([first]: readonly string[]): void {
  if (first === undefined) return
  const build = first.slice(0, first.lastIndexOf(`${path.sep}command${path.sep}`))
  const files = ['command', 'carried'].flatMap((folder) =>
    readdirSync(path.join(build, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      path.join(build, folder, name),
    ),
  )
  const known = partsIn(files.filter((file) => file.endsWith('.js')))
  const missing = parts.filter((part) => !known.includes(part)).map(({ name }) => name)
  if (missing.length > 0) throw new Error(`no file of the build has the text of: ${missing.join(', ')}`)
}
