// Describes what MCP servers bring to a session: tools, prompts, resources and instructions.
import type { AnyTool } from '../../streams/ports/tool.ts'
import type { UserContent } from '../../streams/messages/message.ts'
import type { McpStatus } from './mcp-server.ts'

/** A server's own hints about a tool. They never loosen a rule. */
export interface McpHints {
  readonly title?: string
  readonly readOnly?: boolean
  readonly destructive?: boolean
  readonly idempotent?: boolean
  readonly openWorld?: boolean
}

/** A tool of a server as a session uses it: named `mcp__SERVER__TOOL`. */
export interface McpTool extends AnyTool {
  readonly mcp: {
    readonly server: string
    /** The server's own name of the tool. */
    readonly tool: string
    /** SHA-256 of description, input schema and annotations: a changed tool loses its remembered approvals. */
    readonly digest: string
    readonly label?: string
    readonly hints: McpHints
  }
}

export interface McpPrompt {
  readonly server: string
  readonly name: string
  readonly description?: string
  readonly arguments: readonly { readonly name: string; readonly description?: string; readonly required: boolean }[]
}

export interface McpResource {
  readonly server: string
  /** Of a template: the URI template. */
  readonly uri: string
  readonly name: string
  readonly description?: string
  readonly mimeType?: string
  readonly template: boolean
}

/** The text of a prompt of a server. */
export interface McpPromptMessages {
  readonly description?: string
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: readonly UserContent[] }[]
}

export interface McpResourceContent {
  readonly uri: string
  readonly mimeType?: string
  readonly content: readonly UserContent[]
}

/** The owner of an argument: a prompt or a resource template. */
export type McpCompletionRef =
  | { readonly kind: 'prompt'; readonly server: string; readonly name: string }
  | { readonly kind: 'resource'; readonly server: string; readonly uri: string }

/** An argument whose values are looked for. */
export interface McpArgument {
  readonly name: string
  /** The text typed so far. */
  readonly value: string
  /** The arguments that are known already. */
  readonly known?: Readonly<Record<string, string>>
}

/** The offer of a session's servers, at one time. */
export interface McpOffer {
  readonly tools: readonly McpTool[]
  /** Bounded and without control characters: text of a server, never an instruction to the runtime. */
  readonly instructions: readonly { readonly server: string; readonly text: string }[]
  readonly prompts: readonly McpPrompt[]
  readonly resources: readonly McpResource[]
  readonly statuses: readonly McpStatus[]
}
