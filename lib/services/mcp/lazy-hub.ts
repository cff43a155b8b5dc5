// Loads the hub of a server's MCP servers with the first session or command that needs it.
import { defer, of, shareReplay, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { McpHub } from '../../mcp/contract/mcp-hub.ts'

export interface LazyHub {
  /** Emits the hub once, the same for every subscriber. */
  readonly hub$: Observable<McpHub>
  /** The hub if it is loaded. */
  loaded(): McpHub | undefined
  /** Ends every server. */
  close(): void
}

/** @param load$ loads and makes the hub */
export function lazyHub(load$: Observable<McpHub>): LazyHub {
  let hub: McpHub | undefined
  let isClosed = false
  const loading$ = load$.pipe(
    tap((loaded) => {
      hub = loaded
      if (isClosed) loaded.close()
    }),
    shareReplay({ bufferSize: 1, refCount: false }),
  )
  return {
    hub$: defer(() => (hub === undefined ? loading$ : of(hub))),
    loaded: () => hub,
    close: () => {
      isClosed = true
      hub?.close()
    },
  }
}
