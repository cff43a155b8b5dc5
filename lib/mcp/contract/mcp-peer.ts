// The port of one connected server: lists and results as it sent them, requests as Observables.
// Guarantees: what a server sends has the shape of the protocol and is not trusted otherwise; only messages are bounded.
import type { Observable } from 'rxjs'
import type { McpArgument } from './mcp-offer.ts'

/** A JSON object from a server. */
export type McpJson = Readonly<Record<string, unknown>>

/** A tool as a server lists it. */
export interface ListedTool {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema: McpJson
  readonly outputSchema?: McpJson
  readonly annotations?: McpJson
}

export interface ListedPrompt {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly arguments?: readonly { readonly name: string; readonly description?: string; readonly required?: boolean }[]
}

/** A resource or, with `uriTemplate`, a template of resources. */
export interface ListedResource {
  readonly name: string
  readonly title?: string
  readonly uri?: string
  readonly uriTemplate?: string
  readonly description?: string
  readonly mimeType?: string
}

/** All lists of a server. Kept between two starts, so that a session knows the tools before the server has answered. */
export interface McpLists {
  readonly tools: readonly ListedTool[]
  readonly prompts: readonly ListedPrompt[]
  readonly resources: readonly ListedResource[]
  readonly instructions?: string
}

/** The result of a tool call, as the server sent it. */
export interface RawToolResult {
  readonly content: readonly McpJson[]
  readonly structuredContent?: unknown
  readonly isError?: boolean
}

export type McpCallEvent =
  | { readonly type: 'progress'; readonly progress: number; readonly total?: number; readonly message?: string }
  | { readonly type: 'result'; readonly result: RawToolResult }

/** A caller: requests that the server makes meanwhile belong to this call. */
export interface McpCaller {
  readonly sessionId: string
  readonly toolCallId: string
}

/**
 * Each method returns a cold Observable: it waits for the connection (at most the server's `startTimeoutMs`), sends one request,
 * emits and completes. Unsubscribing cancels the request. It fails with `mcp_error` if the server refuses, ends or is silent.
 */
export interface McpPeer {
  callTool(name: string, args: McpJson, caller: McpCaller): Observable<McpCallEvent>
  getPrompt(name: string, args: Readonly<Record<string, string>>): Observable<McpJson>
  readResource(uri: string): Observable<McpJson>
  complete(ref: McpJson, argument: McpArgument): Observable<readonly string[]>
}

/** One server, for a session: `offerOf` of `tools/` and `content/` makes the session's offer of it. */
export interface McpSource {
  readonly server: string
  readonly lists: McpLists
  readonly peer: McpPeer
}
