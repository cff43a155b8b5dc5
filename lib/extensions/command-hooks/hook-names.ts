// Translates tools and arguments to the names that scripts for Claude Code know, and back.
import path from 'node:path'

type Args = Readonly<Record<string, unknown>>

/** A call as a script sees it. */
export interface NamedCall {
  readonly tool_name: string
  readonly tool_input: Args
}

interface Translation {
  readonly name: string
  toInput(args: Args, cwd: string): Args
  /** The arguments for what a script returned. */
  toArgs(input: Args): Args
}

const filePath = (args: Args, cwd: string): Args =>
  typeof args['path'] === 'string' ? { file_path: path.resolve(cwd, args['path']) } : {}

const translations: Readonly<Record<string, Translation>> = {
  bash: {
    name: 'Bash',
    toInput: ({ background, timeout, ...args }) => ({
      ...args,
      ...(typeof timeout === 'number' ? { timeout: timeout * 1000 } : {}),
      ...(background === true ? { run_in_background: true } : {}),
    }),
    toArgs: ({ run_in_background: background, timeout, description: _, ...input }) => ({
      ...input,
      ...(typeof timeout === 'number' ? { timeout: timeout / 1000 } : {}),
      ...(background === true ? { background: true } : {}),
    }),
  },
  read: { name: 'Read', toInput: withFilePath, toArgs: withPath },
  write: { name: 'Write', toInput: withFilePath, toArgs: withPath },
  edit: { name: 'Edit', toInput: editInput, toArgs: editArgs },
  grep: {
    name: 'Grep',
    toInput: ({ ignoreCase, ...args }) => ({ ...args, ...(ignoreCase === true ? { '-i': true } : {}) }),
    toArgs: ({ '-i': ignoreCase, ...input }) => ({ ...input, ...(ignoreCase === true ? { ignoreCase: true } : {}) }),
  },
  find: { name: 'Glob', toInput: same, toArgs: same },
  ls: { name: 'LS', toInput: same, toArgs: same },
}

/** Other tools keep their names and arguments. Several replacements of one `edit` are a `MultiEdit`. */
export function namedCall(tool: string, args: Args, cwd: string): NamedCall {
  const translation = translationOf(tool)
  if (translation === undefined) return { tool_name: tool, tool_input: args }
  const tool_input = translation.toInput(args, cwd)
  return { tool_name: 'edits' in tool_input ? 'MultiEdit' : translation.name, tool_input }
}

/** The arguments of rxpi's tool for the input that a script returned. */
export function argsOf(tool: string, input: Args): Args {
  return translationOf(tool)?.toArgs(input) ?? input
}

/** The names by which a matcher can mean a tool. */
export function namesOf(tool: string): readonly string[] {
  const translation = translationOf(tool)
  if (translation === undefined) return [tool]
  return tool === 'edit' ? [tool, translation.name, 'MultiEdit'] : [tool, translation.name]
}

function translationOf(tool: string): Translation | undefined {
  return Object.hasOwn(translations, tool) ? translations[tool] : undefined
}

function same(args: Args): Args {
  return args
}

function withFilePath(args: Args, cwd: string): Args {
  const { path: _, ...rest } = args
  return { ...filePath(args, cwd), ...rest }
}

function withPath({ file_path, ...rest }: Args): Args {
  return { ...(file_path === undefined ? {} : { path: file_path }), ...rest }
}

function editInput(args: Args, cwd: string): Args {
  const edits = Array.isArray(args['edits']) ? args['edits'].map(oldAndNew) : []
  const [only] = edits
  return { ...filePath(args, cwd), ...(edits.length === 1 && only !== undefined ? only : { edits }) }
}

function editArgs({ file_path, edits, old_string, new_string }: Args): Args {
  const list = Array.isArray(edits) ? edits.map(fromOldAndNew) : [{ oldText: old_string, newText: new_string }]
  return { path: file_path, edits: list }
}

function oldAndNew(edit: { readonly oldText?: unknown; readonly newText?: unknown }): Args {
  return { old_string: edit.oldText, new_string: edit.newText }
}

function fromOldAndNew(edit: { readonly old_string?: unknown; readonly new_string?: unknown }): Args {
  return { oldText: edit.old_string, newText: edit.new_string }
}
