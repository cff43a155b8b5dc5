// What the session's room gives to the server and the library.
export { createSessionHost } from './create-session-host.ts'
export type { SessionHostOptions } from './create-session-host.ts'
export type { Notice, OpenedSession, SessionHost } from './session-host.ts'
export type { ReadFrom, Session, SessionCommand, SessionCommandType } from './session.ts'
