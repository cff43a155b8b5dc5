// Builds the prompt of `rxpi -p`: files first, then piped input, then the words of the command line.
import { defer, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ImageContent } from '../../../lib/streams/messages/message.ts'
import { badRequest } from '../command-options.ts'
import { readFileArgument } from './file-argument.ts'
import type { PrintInvocation } from '../invocation.ts'
import { readStandardInput } from './read-standard-input.ts'
import type { World } from '../../process/world.ts'

export interface PromptInput {
  readonly text: string
  readonly images: ImageContent[]
}

/**
 * Emits once and completes; reads standard input to its end if it may hold data. Fails with `bad_request` if a file
 * cannot be used or the prompt is empty. Emits undefined if only piped input could be the prompt and there is none.
 */
export function readPromptInput(
  { words, files, stdin }: Pick<PrintInvocation, 'words' | 'files' | 'stdin'>,
  world: Pick<World, 'stdin' | 'stderr'>,
): Observable<PromptInput | undefined> {
  return defer(() => {
    const read = files.map((file) => readFileArgument(file))
    const texts = read.flatMap((file) => ('text' in file ? [file.text] : []))
    const images = read.flatMap((file) => ('image' in file ? [file.image] : []))
    const piped$ =
      stdin === 'ignored' || world.stdin.isEmpty ? of('') : readStandardInput(world, { optional: stdin === 'only' })
    return piped$.pipe(
      map((piped) => {
        const text = [...texts, wrapPipedInput(piped, words), words].filter((part) => part.trim() !== '').join('\n\n')
        if (text !== '' || images.length > 0) return { text, images }
        if (stdin === 'only') return undefined
        throw missingPrompt(world)
      }),
    )
  })
}

/** Marks piped input with a tag if the prompt has words too. */
function wrapPipedInput(piped: string, words: string): string {
  if (piped.trim() === '' || words.trim() === '') return piped
  return `<stdin>\n${piped.replace(/\n$/, '')}\n</stdin>`
}

function missingPrompt({ stdin }: Pick<World, 'stdin'>): Error {
  const why = stdin.isEmpty ? '-p needs a prompt' : 'there is no prompt, and standard input was empty'
  return badRequest(`${why}: rxpi -p "What is in this folder?"`)
}
