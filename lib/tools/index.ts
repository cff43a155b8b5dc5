// Exports the built-in tools as `rxpi/tools`.
import path from 'node:path'
import type { AnyTool } from '../streams/ports/tool.ts'
import { createBashTool } from './shell/bash.ts'
import { createEditTool } from './files/edit.ts'
import { fileViews } from './files/file-views.ts'
import type { FileMemory } from './files/file-views.ts'
import { createHashlineEditTool } from './files/hashline-edit.ts'
import { shownVersions } from './files/hashline/shown-versions.ts'
import { createJobInputTool, createJobKillTool, createJobOutputTool } from './jobs/job-tools.ts'
import { previewEdit, previewWrite } from './files/preview-change.ts'
import { createReadTool } from './files/read.ts'
import { createAskTool } from './talk/ask-person.ts'
import { createProposePlanTool } from './talk/propose-plan.ts'
import { createTodoTool } from './talk/todo.ts'
import { createFindTool } from './search/find.ts'
import { createGrepTool } from './search/grep.ts'
import { createLsTool } from './search/ls.ts'
import { userShell } from './shell/spawn-user-shell.ts'
import { createWriteTool } from './files/write.ts'

export { createBashTool, userShell }
export type { UserShellOptions } from './shell/spawn-user-shell.ts'
export type { BashOptions } from './shell/bash.ts'
export type { BashDetails } from './shell/bash-result.ts'
export type { EditDetails } from './files/edit.ts'
export type { JobDetails } from './jobs/job-tools.ts'
export type { HashlineEditDetails } from './files/hashline-edit.ts'
export type { WriteDetails } from './files/write.ts'
export type { GrepDetails } from './search/grep.ts'
export type { FindDetails } from './search/find.ts'
export type { FolderDetails } from './search/list-folder.ts'
export {
  BashParameters,
  EditParameters,
  FindParameters,
  GrepParameters,
  HashlineEditParameters,
  LsParameters,
  JobInputParameters,
  JobKillParameters,
  JobOutputParameters,
  AskParameters,
  parameterSchemas,
  ProposePlanParameters,
  TodoParameters,
  ReadParameters,
  WriteParameters,
} from './shared/parameters.ts'

export interface BuiltInOptions {
  /**
   * `$RXPI_HOME`, absolute: the full output of commands goes to `spill/<session id>` inside. Default: it is dropped.
   */
  readonly home?: string
  /** Milliseconds; 0 = none. Default 120,000. */
  readonly bashTimeoutMs?: number
  /** `bash` keeps its folder and variables between calls. Default false. */
  readonly bashPersist?: boolean
  /** See `BashOptions`. Default true. */
  readonly bashClientTerminal?: boolean
}

/** The tools with their defaults; `bash` drops output beyond the end that it shows. */
export const tools = {
  ...fileTools(fileMemory()),
  bash: createBashTool(),
  ...searchTools(),
  ...jobTools(),
  ...talkTools(),
} as const

/** The same tools by their names. */
export const { read, write, edit, hashlineEdit, grep, find, ls, jobOutput, jobInput, jobKill, todo, ask, proposePlan } =
  tools

/** The built-in tools by the layer of the session's tools that adds them (docs/loop.md#37). */
export interface ToolsByLayer {
  /** For files, commands and search. */
  readonly base: readonly AnyTool[]
  /** For the session itself: its jobs, its plan, questions to the person. */
  readonly runtime: readonly AnyTool[]
}

/** The built-in tools by the layer of a session that adds them. Each call makes new ones, with a memory of their own. */
export function toolsByLayer({
  home,
  bashTimeoutMs,
  bashPersist = false,
  bashClientTerminal = true,
}: BuiltInOptions = {}): ToolsByLayer {
  const bash = createBashTool({
    ...(home !== undefined && { spillFolder: path.join(home, 'spill') }),
    ...(bashTimeoutMs !== undefined && { timeoutMs: bashTimeoutMs }),
    persist: bashPersist,
    clientTerminal: bashClientTerminal,
  })
  const own = fileTools(fileMemory())
  return {
    base: [own.read, own.write, own.edit, bash, own.hashlineEdit, ...Object.values<AnyTool>(searchTools())],
    runtime: Object.values<AnyTool>({ ...jobTools(), ...talkTools() }),
  }
}

/** The tools of a session, in the order of the request. */
export function builtInTools(options: BuiltInOptions = {}): AnyTool[] {
  const { base, runtime } = toolsByLayer(options)
  return [...base, ...runtime]
}

function fileMemory(): FileMemory {
  return { views: fileViews(), versions: shownVersions() }
}

/** The tools that share what they know of the files that a session read. */
function fileTools(memory: FileMemory) {
  return {
    read: createReadTool(memory),
    write: { ...createWriteTool(memory.views), previewDiff: previewWrite },
    edit: { ...createEditTool(memory.views), previewDiff: previewEdit },
    hashlineEdit: createHashlineEditTool(memory),
  } as const
}

function searchTools() {
  return { grep: createGrepTool(), find: createFindTool(), ls: createLsTool() } as const
}

function jobTools() {
  return { jobOutput: createJobOutputTool(), jobInput: createJobInputTool(), jobKill: createJobKillTool() } as const
}

/** The tools that show something to the person. */
function talkTools() {
  return { todo: createTodoTool(), ask: createAskTool(), proposePlan: createProposePlanTool() } as const
}
export type {
  FileSearch,
  FoundFile,
  FoundLine,
  LineSearch,
  ListedPaths,
  SearchEnd,
  SearchEngine,
  SearchScope,
} from './search/search-engine.ts'
export type { FindFiles } from './search/find-files.ts'
