// Gives the model the instructions of MCP servers: a section of the prompt, later ones as notes.
// Guarantees: the prompt of an open session keeps its bytes; each text is framed as one of a server.
import { createHash } from 'node:crypto'
import { concat, defer, from } from 'rxjs'
import { instructionsSection } from '../../mcp/content/server-instructions.ts'
import type { McpOffer } from '../../mcp/contract/mcp-offer.ts'
import { contextMessageIn } from '../../streams/messages/context-message.ts'
import type { Message } from '../../streams/messages/message.ts'
import type { ContextNotes, ContextUpdate } from '../../streams/ports/context-notes.ts'
import type { PromptSections } from '../../streams/ports/prompt-sections.ts'
import type { OpenedServers } from './opened-servers.ts'

type Instructions = McpOffer['instructions']

const kind = 'mcp'

/** The sections with one for the servers' instructions, after that of the skills; the same ones without any. */
export function addServerSection(sections: PromptSections, instructions: Instructions): PromptSections {
  const text = instructionsSection(instructions)
  if (text === undefined) return sections
  const at = sections.findIndex(({ name }) => name === 'folder')
  const index = at === -1 ? sections.length : at
  return [...sections.slice(0, index), { name: kind, text }, ...sections.slice(index)]
}

/** Notes about instructions that the opened prompt lacks. The first call waits for servers that may still answer. */
export function serverNotes({ opened, connection, ready$ }: OpenedServers): ContextNotes {
  let current: Instructions = opened.instructions
  let isFirst = true
  const following = connection.offer$.subscribe(({ instructions }) => (current = instructions))
  const inPrompt = new Map(opened.instructions.map(({ server, text }) => [server, digestOf(text)]))
  const updates = (messages: readonly Message[]): readonly ContextUpdate[] => {
    const known = knownDigests(messages, inPrompt)
    return current.flatMap((each): ContextUpdate[] => {
      const digest = digestOf(each.text)
      const content = instructionsSection([each])
      if (content === undefined || known.get(each.server) === digest) return []
      return [{ type: 'note', note: { kind, path: each.server, digest, content } }]
    })
  }
  return {
    due: (messages) => {
      if (isFirst) {
        isFirst = false
        return concat(
          from(opened.instructions.map(promptUpdate)),
          ready$,
          defer(() => updates(messages)),
        )
      }
      const due = updates(messages)
      return due.length === 0 ? undefined : from(due)
    },
    close: () => {
      following.unsubscribe()
    },
  }
}

function promptUpdate({ server, text }: Instructions[number]): ContextUpdate {
  return { type: 'in_prompt', added: { kind, path: server, digest: digestOf(text), text } }
}

/** Finds the last note about each server. */
function knownDigests(
  messages: readonly Message[],
  inPrompt: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const known = new Map(inPrompt)
  for (const message of messages) {
    const note = contextMessageIn(message)
    if (note?.kind === kind && note.path !== undefined) known.set(note.path, note.digest)
  }
  return known
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
