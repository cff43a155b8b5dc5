// Commands about the server itself, not about a session.
import { Type } from '@sinclair/typebox'
import { Count } from '../values/identifiers.ts'
import { stringEnum } from '../schema/schema-helpers.ts'

export const serverParameters = {
  ping: {},
  /** Who serves, since when, and what it has to do. */
  server_status: {},
  /** Closes every session, then every connection; answered when the sessions are closed. */
  shutdown: {},
}

export const serverResults = {
  ping: {},
  server_status: {
    pid: Count,
    version: Type.String(),
    /** New at every start. */
    epoch: Type.String(),
    /** Unix ms. */
    startedAt: Type.Number(),
    uptimeMs: Count,
    /** Where it listens; absent for one that no other process can reach. */
    socket: Type.Optional(Type.String()),
    /**
     * `client`: in the background, because a client found none; `socket`: by the system, at the first connection. Absent for
     * one that a program embeds.
     */
    startedBy: Type.Optional(stringEnum(['person', 'client', 'socket'])),
    /** It ends when it has had neither client nor run for so long; absent: never by itself. */
    idleExitMs: Type.Optional(Count),
    /** Connections, the asker's too. */
    clients: Count,
    sessions: Type.Object({ open: Count, running: Count }),
    memory: Type.Object({ rssBytes: Count, heapUsedBytes: Count }),
  },
  shutdown: {},
}
