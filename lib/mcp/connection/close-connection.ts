// Closes a connection: tells a remote server that its session is over, and ends a program.
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Client, Transport } from '@modelcontextprotocol/client'
import { catchError, concat, defer, EMPTY, takeUntil, timer } from 'rxjs'

/** Milliseconds that a remote server may take for the end of its session. */
const farewellMs = 1_000

/** Starts to close and returns; it runs to its end, and the ends of programs are counted (`processesSettled`). */
export function closeConnection(client: Client, transport: Transport): void {
  client.onclose = () => undefined
  client.onerror = () => undefined
  const farewell$ = defer(() =>
    transport instanceof StreamableHTTPClientTransport ? transport.terminateSession() : EMPTY,
  ).pipe(takeUntil(timer(farewellMs)))
  // a failure has no receiver: the connection ends with or without the farewell
  concat(
    farewell$.pipe(catchError(() => EMPTY)),
    defer(() => transport.close()).pipe(catchError(() => EMPTY)),
  ).subscribe()
}
