// Checks the parameters of methods that the stable part of ACP's SDK does not check.
import type { ContentBlock } from '@agentclientprotocol/sdk'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { isRecord } from '../../../lib/streams/values/json.ts'
import { requestErrorOf } from '../wire/acp-error.ts'

/** @throws RequestError that names the field */
export function parseFork(params: unknown): { readonly sessionId: string; readonly cwd: string } {
  return { sessionId: textIn(params, 'sessionId'), cwd: textIn(params, 'cwd') }
}

/** @throws RequestError that names the field */
export function parseSteer(params: unknown): { readonly sessionId: string; readonly prompt: ContentBlock[] } {
  const prompt = isRecord(params) ? params['prompt'] : undefined
  if (!Array.isArray(prompt)) throw wrong('prompt has to be a list of content blocks')
  return { sessionId: textIn(params, 'sessionId'), prompt: prompt.map(parseBlock) }
}

/** Fields of a block that have to be texts, by its type. */
const texts: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource_link: ['name', 'uri'],
}

function parseBlock(block: unknown, index: number): ContentBlock {
  const at = `prompt[${index}]`
  const type = textIn(block, 'type', at)
  const own = Object.hasOwn(texts, type) ? texts[type] : undefined
  if (own === undefined && type !== 'resource')
    throw wrong(`${at}.type is not a type of content: ${JSON.stringify(type.slice(0, 80))}`)
  for (const name of own ?? []) textIn(block, name, at)
  if (type === 'resource') {
    const resource = isRecord(block) ? block['resource'] : undefined
    textIn(resource, 'uri', `${at}.resource`)
    textIn(resource, isRecord(resource) && 'blob' in resource ? 'blob' : 'text', `${at}.resource`)
  }
  return block as ContentBlock // its fields were checked
}

function textIn(value: unknown, name: string, at?: string): string {
  const found = isRecord(value) ? value[name] : undefined
  if (typeof found === 'string') return found
  throw wrong(`${at === undefined ? '' : `${at}.`}${name} has to be a text`)
}

function wrong(message: string): Error {
  return requestErrorOf(new Failure('bad_request', message))
}
