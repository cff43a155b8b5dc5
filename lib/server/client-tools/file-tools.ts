// Answers calls about the files of this client, as tools that no list names.
import { defaultIfEmpty, from, map, of } from 'rxjs'
import type { Observable, ObservableInput } from 'rxjs'
import { longestClientText } from '../../streams/environment/file-exchange.ts'
import type { ChannelResult, ChannelTool } from './answer-channel-calls.ts'
import { fileCalls, missingFile } from './file-calls.ts'

/**
 * The files of this client, which the session's tools use in place of the disk; paths are absolute, in the folder of the session.
 * A failure is an answer too: the tools then use the disk.
 */
export interface OfferedFiles {
  /** Returns the text, with changes that are not saved; undefined if there is no such file. The first value counts. */
  read(path: string): ObservableInput<string | undefined>
  /** Replaces the text and saves the file; its end counts. Absent: changes are written to the disk. */
  write?(path: string, text: string): ObservableInput<unknown>
}

/** `parameters` are never listed: the server sends these calls by itself. */
const noParameters = {}

export function fileTools(files: OfferedFiles | undefined): readonly ChannelTool[] {
  if (files === undefined) return []
  const tool = (name: string, execute: ChannelTool['execute']): ChannelTool => ({
    name,
    description: '',
    parameters: noParameters,
    execute,
  })
  return [
    tool(fileCalls.read, ({ path }) => inputOf(files.read(String(path))).pipe(map(textResult))),
    tool(fileCalls.write, ({ path, text }) => {
      const written$ = files.write?.(String(path), String(text))
      if (written$ === undefined)
        return { content: [{ type: 'text', text: 'This client takes no text' }], isError: true }
      return from(written$).pipe(
        defaultIfEmpty(undefined),
        map(() => ({ content: [] })),
      )
    }),
  ]
}

/** A string is an iterable of its characters, and meant as a whole. */
function inputOf(input: ObservableInput<string | undefined>): Observable<string | undefined> {
  return typeof input === 'string' ? of(input) : from(input)
}

function textResult(text: string | undefined): ChannelResult {
  if (text === undefined)
    return {
      content: [{ type: 'text', text: 'There is no such file' }],
      isError: true,
      details: { code: missingFile },
    }
  // the server takes no longer line, and would wait for the answer
  if (text.length > longestClientText)
    return { content: [{ type: 'text', text: 'The text is too long' }], isError: true }
  return { content: [{ type: 'text', text }] }
}
