// Schemas of the commands about the server itself, and the doctor's result.
import { Type } from '@sinclair/typebox'
import { Count } from '../values/identifiers.ts'
import { stringEnum } from '../schema/schema-helpers.ts'

export const serverParameters = {
  ping: {},
  /** Returns the server's identity, start time and load. */
  server_status: {},
  /** Closes every session, then every connection; the response follows when the sessions are closed. */
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
    /** The socket's path; absent if no other process can reach the server. */
    socket: Type.Optional(Type.String()),
    /** The address of its gateway, such as `http://127.0.0.1:8788`; absent if it has none. */
    http: Type.Optional(Type.String()),
    /**
     * `client`: a client started it in the background; `socket`: the system started it at the first connection. Absent
     * if a program embeds the server.
     */
    startedBy: Type.Optional(stringEnum(['person', 'client', 'socket'])),
    /** Milliseconds without client and run after which the server exits; absent: it never exits by itself. */
    idleExitMs: Type.Optional(Count),
    /** Open connections, including the one that asks. */
    clients: Count,
    /** `active`: those with a run, a job or an open question; absent from servers of earlier builds. */
    sessions: Type.Object({ open: Count, running: Count, active: Type.Optional(Count) }),
    memory: Type.Object({ rssBytes: Count, heapUsedBytes: Count }),
  },
  shutdown: {},
  /** `required: false`: rxpi works without it, with less comfort. */
  doctor: {
    checks: Type.Array(
      Type.Object({ name: Type.String(), ok: Type.Boolean(), required: Type.Boolean(), message: Type.String() }),
    ),
  },
}
