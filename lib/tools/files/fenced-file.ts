// Opens, reads and replaces files for tools, behind the session's fence if there is one.
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { replaceFile } from '../../host/files/replace-file.ts'
import type { ReplaceOptions } from '../../host/files/replace-file.ts'
import { openInside } from '../../host/sandbox/open-inside.ts'
import { createFoldersInside, replaceInside } from '../../host/sandbox/replace-inside.ts'
import type { PathFence } from '../../streams/ports/sandbox.ts'
import type { ToolContext } from '../../streams/ports/tool.ts'
import { Failure } from '../../streams/values/failure.ts'
import { openPath } from './read-window.ts'

/** The fence of a call; undefined without a session's sandbox. */
export function fenceOf({ sandbox, toolCallId }: Pick<ToolContext, 'sandbox' | 'toolCallId'>): PathFence | undefined {
  return sandbox?.fenceOf(toolCallId)
}

/** Opens without waiting for a writer of a pipe. Rejects with Failure `not_allowed` behind the fence. */
export async function openToRead(file: string, fence: PathFence | undefined): Promise<number> {
  if (fence !== undefined) return plainly(() => openInside(fence, file, 'read'))
  return openPath(file)
}

/** Creates the folders above a new file. */
export async function createFolders(file: string, fence: PathFence | undefined): Promise<void> {
  if (fence === undefined) await mkdir(path.dirname(file), { recursive: true })
  else plainly(() => createFoldersInside(fence, file))
}

/** As `replaceFile`. */
export async function replaceFenced(
  file: string,
  content: string,
  { fence, signal, verify }: FencedReplacement,
): Promise<void> {
  if (fence === undefined) return replaceFile(file, content, signal, { verify })
  try {
    await replaceInside(fence, file, content, signal, { verify })
  } catch (thrown) {
    throw systemErrorOf(thrown)
  }
}

export interface FencedReplacement extends Required<Pick<ReplaceOptions, 'verify'>> {
  readonly fence: PathFence | undefined
  readonly signal: AbortSignal
}

function plainly<Value>(act: () => Value): Value {
  try {
    return act()
  } catch (thrown) {
    throw systemErrorOf(thrown)
  }
}

/** The system's error behind a storage failure, whose advice is about rxpi's own folders. */
function systemErrorOf(thrown: unknown): unknown {
  return thrown instanceof Failure && thrown.code === 'storage' && thrown.cause !== undefined ? thrown.cause : thrown
}
