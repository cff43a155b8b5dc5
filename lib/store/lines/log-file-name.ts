// Writes and reads the file name of a session's log: `<createdAt>_<session id>.jsonl`.

interface LogFileName {
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly sessionId: string
}

export function logFileName({ createdAt, sessionId }: LogFileName): string {
  return `${Math.trunc(createdAt)}_${sessionId}.jsonl`
}

/** Both parts of a log's file name; undefined for any other name. */
export function parseLogFileName(name: string): LogFileName | undefined {
  const [, createdAt, sessionId] = /^(\d{1,16})_([a-z2-7]{12})\.jsonl$/.exec(name) ?? []
  return createdAt === undefined || sessionId === undefined ? undefined : { createdAt: Number(createdAt), sessionId }
}

/** The session id that ends a file's name, whatever comes before it; undefined if there is none. */
export function sessionIdOfFile(file: string): string | undefined {
  return /_([a-z2-7]{12})\.jsonl$/.exec(file)?.[1]
}
