// Reads the lists of a connected server: tools, prompts, resources and their templates.
// Guarantees: a list has at most `listLimit` entries and `pageLimit` pages; a list that the server does not offer is empty.
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client'
import type { Client } from '@modelcontextprotocol/client'
import type { ListedPrompt, ListedResource, ListedTool, McpLists } from '../contract/mcp-peer.ts'

export const listLimit = 1_000
/** The SDK reads all pages of a list, and fails at the next one. */
export const pageLimit = 100

export type ListName = 'tools' | 'prompts' | 'resources'

/** Milliseconds for one page. */
interface ReadOptions {
  readonly timeout: number
  readonly signal: AbortSignal
}

/** All lists. @throws the SDK's error if one cannot be read */
export async function readLists(client: Client, options: ReadOptions): Promise<McpLists> {
  const [tools, prompts, resources] = await Promise.all([
    readTools(client, options),
    readPrompts(client, options),
    readResources(client, options),
  ])
  const instructions = client.getInstructions()
  return { tools, prompts, resources, ...(instructions === undefined ? {} : { instructions }) }
}

/** `lists` with the named one read anew. */
export async function readListAgain(
  client: Client,
  lists: McpLists,
  name: ListName,
  options: ReadOptions,
): Promise<McpLists> {
  switch (name) {
    case 'tools':
      return { ...lists, tools: await readTools(client, options) }
    case 'prompts':
      return { ...lists, prompts: await readPrompts(client, options) }
    case 'resources':
      return { ...lists, resources: await readResources(client, options) }
  }
}

async function readTools(client: Client, options: ReadOptions): Promise<readonly ListedTool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return []
  const { tools } = await client.listTools(undefined, { ...options, cacheMode: 'refresh' })
  return tools.slice(0, listLimit) as readonly ListedTool[] // the SDK has checked the shape
}

async function readPrompts(client: Client, options: ReadOptions): Promise<readonly ListedPrompt[]> {
  if (client.getServerCapabilities()?.prompts === undefined) return []
  const { prompts } = await client.listPrompts(undefined, { ...options, cacheMode: 'refresh' })
  return prompts.slice(0, listLimit) as readonly ListedPrompt[]
}

async function readResources(client: Client, options: ReadOptions): Promise<readonly ListedResource[]> {
  if (client.getServerCapabilities()?.resources === undefined) return []
  const { resources } = await client.listResources(undefined, { ...options, cacheMode: 'refresh' })
  const templates = await readTemplates(client, options)
  return [...resources, ...templates].slice(0, listLimit) as readonly ListedResource[]
}

const methodNotFound: number = ProtocolErrorCode.MethodNotFound

/** Servers with resources and without templates may refuse the request. */
async function readTemplates(client: Client, options: ReadOptions): Promise<readonly ListedResource[]> {
  try {
    const { resourceTemplates } = await client.listResourceTemplates(undefined, { ...options, cacheMode: 'refresh' })
    return resourceTemplates as readonly ListedResource[]
  } catch (error) {
    if (error instanceof ProtocolError && error.code === methodNotFound) return []
    throw error
  }
}
