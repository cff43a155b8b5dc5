// Converts the prompts and resources that servers list, within bounds.
import type { McpPrompt, McpResource } from '../contract/mcp-offer.ts'
import type { ListedPrompt, ListedResource } from '../contract/mcp-peer.ts'
import { describingLine, textField } from './foreign-text.ts'

const maxPrompts = 1_000
const maxArguments = 64
const maxResources = 5_000
const maxDescriptionBytes = 1_024
const maxNameBytes = 256
const maxUriLength = 2_048

/** Converted values, and sentences about the rest. */
export interface Converted<Value> {
  readonly values: readonly Value[]
  readonly notices: readonly string[]
}

/** A prompt is called `/server:name`: a name with white space or hidden characters cannot be typed and is left out. */
export function convertPrompts(server: string, listed: readonly ListedPrompt[]): Converted<McpPrompt> {
  return convert(listed, { most: maxPrompts, noun: 'prompt', valid: ({ name }) => isPlain(name, 128) }, (prompt) => ({
    server,
    name: prompt.name,
    ...described(prompt),
    arguments: (prompt.arguments ?? [])
      .filter(({ name }) => isPlain(name, 128))
      .slice(0, maxArguments)
      .map((argument) => ({ name: argument.name, ...described(argument), required: argument.required === true })),
  }))
}

/** A URI with white space or hidden characters is left out. */
export function convertResources(server: string, listed: readonly ListedResource[]): Converted<McpResource> {
  const valid = ({ uri, uriTemplate }: ListedResource): boolean => isPlain(uri ?? uriTemplate, maxUriLength)
  return convert(listed, { most: maxResources, noun: 'resource', valid }, (resource) => {
    const { uri, uriTemplate = '', name, title, mimeType } = resource
    return {
      server,
      uri: uri ?? uriTemplate,
      name: describingLine(title ?? name, maxNameBytes),
      ...described(resource),
      ...(mimeType !== undefined && { mimeType: describingLine(mimeType, maxNameBytes) }),
      template: uri === undefined,
    }
  })
}

interface Rule<Listed> {
  readonly most: number
  readonly noun: string
  valid(listed: Listed): boolean
}

function convert<Listed extends { readonly name: string }, Value>(
  listed: readonly Listed[],
  { most, noun, valid }: Rule<Listed>,
  toValue: (listed: Listed) => Value,
): Converted<Value> {
  const usable = listed.filter(valid)
  const notices = [
    ...listed
      .filter((one) => !valid(one))
      .slice(0, 10)
      .map(({ name }) => `The ${noun} "${describingLine(name, maxNameBytes)}" is left out: it cannot be typed.`),
    ...(usable.length > most ? [`${usable.length - most} ${noun}s are left out: ${most} are the limit.`] : []),
  ]
  return { values: usable.slice(0, most).map(toValue), notices }
}

function described({ description }: { readonly description?: string }): { readonly description?: string } {
  const text = textField(description, maxDescriptionBytes)
  return text === undefined ? {} : { description: text }
}

const hidden = /[\s\p{C}\p{Default_Ignorable_Code_Point}]/u

function isPlain(name: string | undefined, maxLength: number): boolean {
  return name !== undefined && name !== '' && name.length <= maxLength && !hidden.test(name)
}
