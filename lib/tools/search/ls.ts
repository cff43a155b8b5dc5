// The ls tool: lists a folder. Guarantees: it opens only the folder and the .gitignore files.
import { statSync } from 'node:fs'
import { catchError, defer, of } from 'rxjs'
import { resolvePath } from '../../host/files/resolve-path.ts'
import { defineTool } from '../../streams/tool-definition/define-tool.ts'
import type { StreamTool } from '../../streams/ports/tool.ts'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import { lsParameters } from '../generated/parameter-validators.js'
import { FileProblem, fileProblemResult } from '../shared/file-problem.ts'
import { insideFence } from './search-scope.ts'
import { argumentsValidator, LsParameters } from '../shared/parameters.ts'
import { listFolder } from './list-folder.ts'

export function createLsTool(): StreamTool<typeof LsParameters> {
  return defineTool({
    name: 'ls',
    maxResultBytes: 0, // it limits its output itself
    description: 'List a folder: sorted, folders end with /, 500 entries unless limit says more.',
    parameters: LsParameters,
    validate: argumentsValidator(lsParameters),
    sideEffectFree: true,
    capability: 'read',
    sandboxed: true,
    execute: ({ path = '.', limit }, context) => {
      const written = resolvePath(path, context.cwd)
      return defer(() => {
        const folder = insideFence(written, context)
        if (!statSync(folder).isDirectory()) throw new FileProblem(`${folder} is not a folder; read shows files.`)
        return fromAbortable((signal) => listFolder(folder, { limit }, signal))
      }).pipe(catchError((thrown: unknown) => of(fileProblemResult('list', written, thrown))))
    },
  })
}
