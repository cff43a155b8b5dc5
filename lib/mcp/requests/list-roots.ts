// Lists the folders of sessions as the roots that a server may work in.
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ResultTypeMap } from '@modelcontextprotocol/client'

/** @param folders absolute */
export function listRoots(folders: readonly string[]): ResultTypeMap['roots/list'] {
  return { roots: folders.map((folder) => ({ uri: pathToFileURL(folder).href, name: path.basename(folder) })) }
}
