// Finds the extensions of a session with their digest and their trust, before any of their code runs.
import { catchError, concatMap, defer, from, map, of, reduce, shareReplay } from 'rxjs'
import type { Observable } from 'rxjs'
import { describeThrown } from '../../streams/values/failure.ts'
import { trustState } from '../trust/trust-records.ts'
import type { ExtensionRecords } from '../trust/trust-records.ts'
import { hashContent, isHashed } from './content-digest.ts'
import type { HashedContent } from './content-digest.ts'
import { extensionCandidates } from './extension-candidates.ts'
import type { Candidate, CandidateOptions } from './extension-candidates.ts'
import type { ExtensionProblem, ExtensionSource } from './extension-source.ts'
import { isWrittenForPi } from './recognise-pi.ts'

export interface FindExtensionsOptions extends CandidateOptions {
  /** The stored decisions (`ExtensionTrust.records`). */
  readonly records: ExtensionRecords
}

export interface FoundExtensions {
  readonly sources: readonly ExtensionSource[]
  readonly problems: readonly ExtensionProblem[]
}

/**
 * Emits once and completes; never fails: what cannot be used is a problem. Cold; unsubscribing ends the reading.
 */
export function findExtensions({ records, ...options }: FindExtensionsOptions): Observable<FoundExtensions> {
  return defer(() => {
    const { candidates, problems } = extensionCandidates(options)
    const digests = new Map<string, Observable<HashedContent>>()
    const digestOf$ = (root: string): Observable<HashedContent> => {
      const known$ = digests.get(root) ?? hashContent(root).pipe(shareReplay({ bufferSize: 1, refCount: true }))
      digests.set(root, known$)
      return known$
    }
    return from(candidates).pipe(
      concatMap((candidate) => describe(candidate, digestOf$(candidate.root), records)),
      reduce(
        (found: FoundExtensions, each) =>
          'source' in each
            ? { ...found, sources: [...found.sources, each.source] }
            : { ...found, problems: [...found.problems, each] },
        { sources: [], problems },
      ),
    )
  })
}

function describe(
  { isPiPackage, ...found }: Candidate,
  content$: Observable<HashedContent>,
  records: ExtensionRecords,
): Observable<{ readonly source: ExtensionSource } | ExtensionProblem> {
  return content$.pipe(
    map(({ digest, files }) => {
      if (!isHashed(found.entry, found)) throw new Error('the module is no file of the extension')
      const record = records.get(found.id)
      const source: ExtensionSource = {
        ...found,
        ...{ digest, files },
        state: trustState(record, digest),
        isDev: record?.dev === true,
        isIsolated: record?.isolate === true,
        isPi: isPiPackage || isWrittenForPi(found.entry),
        mayReplace: record?.mayReplace ?? [],
      }
      return { source }
    }),
    catchError((error: unknown) => of({ path: found.entry, message: describeThrown(error) })),
  )
}
