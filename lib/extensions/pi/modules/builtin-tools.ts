// Creates pi's tools read, write, edit and bash for extensions, with exchangeable operations.
import path from 'node:path'
import { Type } from '@sinclair/typebox'
import type { PiRecord, PiTool, PiToolResult } from '../contract/pi-shapes.ts'
import { localBash, localFiles } from './file-operations.ts'
import type { BashOperations, FileOperations } from './file-operations.ts'
import { formatSize, truncateHead, truncateTail } from './truncate-output.ts'

/** A tool that an extension calls or registers; `ctx` may be missing. */
export type CreateTool<Options = PiRecord> = (cwd: string, options?: Options) => PiTool

interface BashToolOptions {
  readonly operations?: BashOperations
  readonly commandPrefix?: string
  readonly shellPath?: string
  spawnHook?(context: { command: string; cwd: string; env: NodeJS.ProcessEnv }): {
    command: string
    cwd: string
    env: NodeJS.ProcessEnv
  }
}

interface FileToolOptions {
  readonly operations?: Partial<FileOperations> & {
    detectImageMimeType?(file: string): Promise<string | null | undefined>
  }
}

export const textOf = (text: string, details?: unknown): PiToolResult => ({
  content: [{ type: 'text', text }],
  details,
})

/** @param variables the environment of commands */
export const bashToolFor =
  (variables: NodeJS.ProcessEnv): CreateTool<BashToolOptions> =>
  (cwd, options = {}) => ({
    name: 'bash',
    label: 'bash',
    description: 'Runs a command in a shell and returns its output. A long output is cut to its end.',
    parameters: Type.Object({
      command: Type.String({ description: 'The command' }),
      timeout: Type.Optional(Type.Number({ description: 'Seconds until it is ended; none by default' })),
    }),
    execute: async (_id, args, signal, onUpdate) => {
      const { command, timeout } = args as { command: string; timeout?: number } // checked by the schema
      const { operations = localBash(variables)(options), commandPrefix, spawnHook } = options
      const own = {
        command: commandPrefix === undefined ? command : `${commandPrefix}\n${command}`,
        cwd,
        env: { ...variables },
      }
      const { env, ...run } = spawnHook?.(own) ?? own
      let output = ''
      const decoder = new TextDecoder() // a character may be divided between two pieces
      const onData = (data: Buffer): void => {
        output = `${output}${decoder.decode(data, { stream: true })}`.slice(-4_000_000)
        onUpdate?.(textOf(truncateTail(output).content))
      }
      const { exitCode } = await operations.exec(run.command, run.cwd, { onData, signal, timeout, env })
      const cut = truncateTail(output.trimEnd())
      const note = cut.truncated ? `\n\n[The last ${cut.outputLines} of ${cut.totalLines} lines]` : ''
      const text = `${cut.content === '' ? '(no output)' : cut.content}${note}`
      if (exitCode !== 0) throw new Error(`${text}\n\nCommand exited with code ${exitCode ?? 'unknown'}`)
      return textOf(text, cut.truncated ? { truncation: cut } : undefined)
    },
  })

const pathParameter = Type.String({ description: 'The path, absolute or below the working folder' })
const images: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
}

export const createReadTool: CreateTool<FileToolOptions> = (cwd, { operations = {} } = {}) => ({
  name: 'read',
  label: 'read',
  description: 'Reads a text file, or an image. A long text is cut to its start; offset and limit read further parts.',
  parameters: Type.Object({
    path: pathParameter,
    offset: Type.Optional(Type.Number({ description: 'The first line, from 1' })),
    limit: Type.Optional(Type.Number({ description: 'The most lines' })),
  }),
  execute: async (_id, args) => {
    const { path: name, offset = 1, limit } = args as { path: string; offset?: number; limit?: number } // checked by the schema
    const file = resolveIn(cwd, name)
    const { access, readFile } = { ...localFiles, ...operations }
    await access(file)
    const data = await readFile(file)
    const mimeType =
      operations.detectImageMimeType === undefined
        ? images[path.extname(file).toLowerCase()]
        : await operations.detectImageMimeType(file)
    if (mimeType !== undefined && mimeType !== null)
      return {
        content: [
          { type: 'text', text: `Image ${mimeType}` },
          { type: 'image', data: data.toString('base64'), mimeType },
        ],
      }
    const lines = data.toString('utf8').split('\n')
    if (offset > lines.length) throw new Error(`Line ${offset} is behind the end: the file has ${lines.length} lines`)
    const part = lines.slice(offset - 1, limit === undefined ? undefined : offset - 1 + limit).join('\n')
    const cut = truncateHead(part)
    const next = offset + cut.outputLines
    const note = cut.truncated ? `\n\n[Cut after ${formatSize(cut.outputBytes)}; go on with offset=${next}]` : ''
    return textOf(`${cut.content}${note}`, cut.truncated ? { truncation: cut } : undefined)
  },
})

export const createWriteTool: CreateTool<FileToolOptions> = (cwd, { operations = {} } = {}) => ({
  name: 'write',
  label: 'write',
  description: 'Writes a file, in place of what it held; makes missing folders.',
  parameters: Type.Object({ path: pathParameter, content: Type.String({ description: 'The whole content' }) }),
  execute: async (_id, args) => {
    const { path: name, content } = args as { path: string; content: string } // checked by the schema
    const file = resolveIn(cwd, name)
    const { mkdir, writeFile } = { ...localFiles, ...operations }
    await mkdir(path.dirname(file))
    await withFileMutationQueue(file, () => writeFile(file, content))
    return textOf(`Successfully wrote to ${name}`)
  },
})

const Edit = Type.Object({
  oldText: Type.String({ description: 'The text to replace; it occurs exactly once' }),
  newText: Type.String({ description: 'The text in its place' }),
})

export const createEditTool: CreateTool<FileToolOptions> = (cwd, { operations = {} } = {}) => ({
  name: 'edit',
  label: 'edit',
  description: 'Replaces texts of a file. Each text to replace occurs exactly once in the file as it was.',
  parameters: Type.Object({ path: pathParameter, edits: Type.Array(Edit, { minItems: 1 }) }),
  execute: async (_id, args) => {
    const { path: name, edits } = args as { path: string; edits: readonly { oldText: string; newText: string }[] } // checked by the schema
    const file = resolveIn(cwd, name)
    const { access, readFile, writeFile } = { ...localFiles, ...operations }
    await access(file)
    return withFileMutationQueue(file, async () => {
      const before = (await readFile(file)).toString('utf8')
      await writeFile(file, applyEdits(before, edits, name))
      return textOf(`Successfully replaced ${edits.length} block(s) in ${name}.`)
    })
  },
})

/** @throws Error for a text that occurs never or several times, and for replacements that overlap */
export function applyEdits(
  before: string,
  edits: readonly { oldText: string; newText: string }[],
  name: string,
): string {
  const found = edits.map(({ oldText, newText }, index) => {
    const at = oldText === '' ? -1 : before.indexOf(oldText)
    if (at === -1) throw new Error(`The text of edit ${index + 1} does not occur in ${name}`)
    if (before.includes(oldText, at + 1))
      throw new Error(`The text of edit ${index + 1} occurs several times in ${name}`)
    return { at, end: at + oldText.length, newText }
  })
  let after = before
  let lowest = before.length + 1
  for (const { at, end, newText } of found.toSorted((one, other) => other.at - one.at)) {
    if (end > lowest) throw new Error(`Edits of ${name} overlap`)
    after = `${after.slice(0, at)}${newText}${after.slice(end)}`
    lowest = at
  }
  return after
}

export function resolveIn(cwd: string, name: string): string {
  return path.resolve(
    cwd,
    name.replace(/^@/, '').replace(/^~(?=\/|$)/, () => process.env['HOME'] ?? '~'),
  )
}

const mutations = new Map<string, Promise<unknown>>()

/** Runs changes of one file one after the other. */
export async function withFileMutationQueue<Result>(file: string, change: () => Promise<Result>): Promise<Result> {
  const before = mutations.get(file) ?? Promise.resolve()
  const own = before.then(change, change)
  mutations.set(file, own)
  try {
    return await own
  } finally {
    if (mutations.get(file) === own) mutations.delete(file)
  }
}
