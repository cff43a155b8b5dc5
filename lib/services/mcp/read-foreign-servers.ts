// Reads the MCP servers of another agent's files and writes them in the form of rxpi.
// Guarantees: a dollar sign that is no variable there is none here; a form without a counterpart is a problem.
import path from 'node:path'
import { defer, from, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { readBoundedText } from '../../context/files/read-bounded-text.ts'
import type { McpSource } from '../../streams/commands/mcp-commands.ts'
import type { McpEntry } from '../../streams/config/mcp-servers.ts'
import { checkWrittenMcpServers } from '../../streams/validation/file-validators.ts'
import { Failure } from '../../streams/values/failure.ts'
import { isRecord } from '../../streams/values/json.ts'

export interface ForeignServer {
  readonly name: string
  readonly entry: McpEntry
  /** Why it cannot be used here. */
  readonly problem?: string
}

export interface ForeignServers {
  /** The files that were read, absolute. */
  readonly files: readonly string[]
  readonly servers: readonly ForeignServer[]
}

interface UserFolders {
  readonly home: string
  readonly cwd: string
}

type Parse = (text: string) => unknown
type Written = Readonly<Record<string, unknown>>

/** Emits once; fails with `bad_request` if the agent has no file here, or one that cannot be read. */
export function readForeignServers(source: McpSource, folders: UserFolders): Observable<ForeignServers> {
  return parserOf(source).pipe(
    map((parse) => {
      const read = filesOf(source, folders).flatMap((file) => readServers(source, file, { folders, parse }) ?? [])
      if (read.length === 0)
        throw new Failure(
          'bad_request',
          `${names[source]} has no configuration here: ${filesOf(source, folders).join(', ')}`,
        )
      const byName = new Map(read.flatMap(({ entries }) => Object.entries(entries)))
      return {
        files: read.map(({ file }) => file),
        servers: [...byName].map(([name, entry]) => translate(source, name, entry)),
      }
    }),
  )
}

const names: Readonly<Record<McpSource, string>> = {
  claude: 'Claude Code',
  codex: 'codex',
  cursor: 'Cursor',
  vscode: 'VS Code',
}

function filesOf(source: McpSource, { home, cwd }: UserFolders): readonly string[] {
  switch (source) {
    case 'claude':
      return [path.join(home, '.claude.json')]
    case 'codex':
      return [path.join(home, '.codex/config.toml')]
    case 'cursor':
      return [path.join(home, '.cursor/mcp.json'), path.join(cwd, '.cursor/mcp.json')]
    case 'vscode':
      return [
        path.join(home, '.config/Code/User/mcp.json'),
        path.join(home, 'Library/Application Support/Code/User/mcp.json'),
        path.join(cwd, '.vscode/mcp.json'),
      ]
  }
}

function parserOf(source: McpSource): Observable<Parse> {
  if (source !== 'codex') return of((text) => JSON.parse(withoutComments(text)) as unknown)
  return defer(() => from(import('smol-toml'))).pipe(
    map(
      ({ parse }) =>
        (text: string): unknown =>
          parse(text),
    ),
  )
}

/** VS Code and Cursor allow comments and a comma at the end. Texts stay as they are. */
function withoutComments(text: string): string {
  return text
    .replaceAll(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[^]*?\*\//g, (_, string?: string) => string ?? '')
    .replaceAll(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, (_, string?: string) => string ?? '')
}

const maxBytes = 16 * 2 ** 20

interface ReadFile {
  readonly file: string
  readonly entries: Readonly<Record<string, unknown>>
}

function readServers(
  source: McpSource,
  file: string,
  { folders, parse }: { readonly folders: UserFolders; readonly parse: Parse },
): ReadFile | undefined {
  const read = readBoundedText(file, maxBytes)
  if (read === undefined) return undefined
  if ('problem' in read) throw new Failure('bad_request', `${file} cannot be read: ${read.problem}`)
  if (read.isCut) throw new Failure('bad_request', `${file} is larger than 16 MiB`)
  let written: unknown
  try {
    written = parse(read.text)
  } catch {
    throw new Failure('bad_request', `${file} is not valid ${source === 'codex' ? 'TOML' : 'JSON'}`)
  }
  return { file, entries: isRecord(written) ? entriesOf(source, written, folders.cwd) : {} }
}

/** Of Claude Code also those of the project that it keeps in its own file. */
function entriesOf(source: McpSource, written: Written, cwd: string): Readonly<Record<string, unknown>> {
  if (source === 'codex') return recordOf(written['mcp_servers'])
  if (source === 'vscode') return recordOf(written['servers'])
  const project = source === 'claude' ? recordOf(recordOf(written['projects'])[cwd]) : {}
  return { ...recordOf(written['mcpServers']), ...recordOf(project['mcpServers']) }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {}
}

function translate(source: McpSource, written: string, value: unknown): ForeignServer {
  const name = written.replaceAll(/[^A-Za-z0-9_-]/g, '-').slice(0, 64)
  const entry = source === 'codex' ? codexEntry(recordOf(value)) : plainEntry(source, recordOf(value))
  const foreign = source === 'codex' ? undefined : foreignVariable(source, JSON.stringify(value))
  const checked = checkWrittenMcpServers({ mcpServers: { [name]: entry } })
  if (!checked.ok) return { name, entry: {}, problem: checked.problem }
  const known = checked.value.value.mcpServers[name] ?? {}
  if (foreign !== undefined) return { name, entry: known, problem: `rxpi has no counterpart of \${${foreign}}` }
  return { name, entry: known }
}

/** The fields of these files are ours; others are left out. */
function plainEntry(source: McpSource, written: Written): Written {
  const texts = source === 'claude' ? written : mapTexts(written, editorText)
  const { command, args, env, url, headers, type, cwd, disabled } = texts
  return defined({ command, args, env, url, headers, type, cwd, disabled })
}

/** `${env:NAME}` is a variable; another dollar sign is none. */
function editorText(text: string): string {
  return text.replaceAll(/\$\{env:([A-Za-z_]\w*)\}|\$/g, (_, name?: string) =>
    name === undefined ? '$$' : `\${${name}}`,
  )
}

/** `${input:key}` asks a person there, `${workspaceFolder}` is the folder. */
function foreignVariable(source: McpSource, text: string | undefined): string | undefined {
  if (source === 'claude') return undefined
  return /\$\{(?!env:)([\w:.-]+)\}/.exec(text ?? '')?.[1]
}

function codexEntry(written: Written): Written {
  const { command, args, env, url, cwd, enabled, startup_timeout_sec: start, tool_timeout_sec: call } = written
  const { http_headers: headers, env_http_headers: named, bearer_token_env_var: bearer, env_vars: passed } = written
  const { enabled_tools: include, disabled_tools: exclude } = written
  const variables = Object.entries(recordOf(named)).map(([header, name]) => [header, variable(name)] as const)
  const token = typeof bearer === 'string' ? { Authorization: `Bearer ${variable(bearer)}` } : {}
  const all: Written = { ...recordOf(escaped(headers)), ...recordOf(Object.fromEntries(variables)), ...token }
  const passedNames: readonly unknown[] = Array.isArray(passed) ? passed : []
  const passedEnv = Object.fromEntries(passedNames.map((name) => [String(name), variable(name)] as const))
  const ownEnv: Written = { ...passedEnv, ...recordOf(escaped(env)) }
  const tools = defined({ include, exclude })
  return defined({
    command: escaped(command),
    args: escaped(args),
    env: Object.keys(ownEnv).length === 0 ? undefined : ownEnv,
    url: escaped(url),
    headers: Object.keys(all).length === 0 ? undefined : all,
    cwd: escaped(cwd),
    disabled: enabled === false ? true : undefined,
    startTimeoutMs: milliseconds(start),
    timeoutMs: milliseconds(call),
    tools: Object.keys(tools).length === 0 ? undefined : tools,
  })
}

function variable(name: unknown): string {
  return `\${${String(name)}}`
}

function milliseconds(seconds: unknown): number | undefined {
  return typeof seconds === 'number' && seconds > 0 ? Math.round(seconds * 1_000) : undefined
}

/** No text of codex has variables. */
function escaped(value: unknown): unknown {
  return mapTexts(value, (text) => text.replaceAll('$', '$$$$'))
}

function mapTexts<Value>(value: Value, change: (text: string) => string): Value {
  const changed = (each: unknown): unknown => {
    if (typeof each === 'string') return change(each)
    if (Array.isArray(each)) return each.map(changed)
    return isRecord(each) ? Object.fromEntries(Object.entries(each).map(([key, inner]) => [key, changed(inner)])) : each
  }
  return changed(value) as Value // the same shape with other texts
}

function defined(fields: Readonly<Record<string, unknown>>): Written {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
