// Evaluates the modules of one extension, apart from Node's own module caches.
// Guarantees: nothing is loaded but files of the extension as they were hashed, modules of Node and those that rxpi gives.
import { createHash } from 'node:crypto'
import { readFileSync, realpathSync } from 'node:fs'
// `createRequire` is no named import: the bundler would put it into the chunk of its own helpers, which pages load too.
import Module, { isBuiltin } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { runInThisContext } from 'node:vm'
import type { Jiti } from 'jiti'
import { Failure } from '../../streams/values/failure.ts'
import type { ContentFiles } from '../discovery/content-digest.ts'
import { isHashed } from '../discovery/content-digest.ts'
import { codeKey } from './compiled-code.ts'
import type { SourceText } from './compiled-code.ts'
import { builtinModule, namespaceOf } from './host-modules.ts'
import { jitiOf } from './jiti-loader.ts'
import { needsCompiling, sourceKind } from './source-kind.ts'

export interface GraphOptions {
  /** Real path of the folder of the extension; the single file itself. */
  readonly root: string
  /** The digests of its files. Undefined: they may have changed, because the folder has the mark `dev`. */
  readonly files?: ContentFiles | undefined
  /** The modules of this process by the name under which extensions import them. */
  readonly libraries: Readonly<Record<string, unknown>>
  compile(text: SourceText): string
  /** Compiled code by `codeKey`, from earlier loads and for later ones. Default: none. */
  readonly codes?: Map<string, string> | undefined
  /** Called before a file is evaluated. */
  onFile?(): void
}

interface LoadedModule {
  readonly file: string
  readonly module: NodeJS.Module
  /** Set while it is evaluated by an import. */
  ready?: Promise<unknown>
  /** Modules that it waits for: an import that leads back to it gets what it exports so far. */
  readonly awaits: Set<LoadedModule>
}

type Load = (id: string) => unknown

/** Milliseconds of work after which an import lets the rest of the process run. */
const turnMs = 30

/** A module of the graph; each file is evaluated once. */
export class ModuleGraph {
  readonly #options: GraphOptions
  readonly #modules = new Map<string, LoadedModule>()
  readonly #jitis = new Map<string, Jiti>()
  #turnStart = performance.now()

  constructor(options: GraphOptions) {
    this.#options = options
  }

  /** The exports of a file, as an import. Rejects with a Failure, or with what the module throws. */
  importFile(file: string): Promise<unknown> {
    return this.#import(this.#known(file), undefined)
  }

  /** The exports of what `id` names in `parent`. */
  async #importFrom(id: string, parent: LoadedModule): Promise<unknown> {
    return namespaceOf(this.#provided(id)) ?? (await this.#import(this.#resolve(id, parent.file, 'import'), parent))
  }

  async #import(target: LoadedModule, parent: LoadedModule | undefined): Promise<unknown> {
    if (target.module.loaded || (parent !== undefined && waitsFor(target, parent))) return target.module.exports
    parent?.awaits.add(target)
    try {
      if (target.ready === undefined && performance.now() - this.#turnStart > turnMs) await this.#nextTurn()
      await (target.ready ??= this.#evaluate(target, true))
      return target.module.exports
    } finally {
      parent?.awaits.delete(target)
    }
  }

  /** A large extension compiles for seconds: sessions and requests of others go on meanwhile. */
  async #nextTurn(): Promise<void> {
    await new Promise(setImmediate)
    this.#turnStart = performance.now()
  }

  #require(id: string, parent: LoadedModule): unknown {
    const provided = this.#provided(id)
    if (provided !== undefined) return provided
    const target = this.#resolve(id, parent.file, 'require')
    const { module, file } = target
    if (module.loaded || target.ready !== undefined || parent === target) return module.exports
    target.ready = Promise.resolve() // a circle gets what is exported so far
    try {
      void this.#evaluate(target, false)
    } catch (thrown) {
      this.#modules.delete(file)
      throw thrown
    }
    return module.exports
  }

  /** Undefined if rxpi gives no module of this name. */
  #provided(id: string): unknown {
    const { libraries } = this.#options
    if (Object.hasOwn(libraries, id)) return namespaceOf(libraries[id])
    return isBuiltin(id) ? builtinModule(id, (from) => this.#requireFor(from)) : undefined
  }

  /** `require` for a file of the extension; that of Node for others. */
  #requireFor(from: string): NodeJS.Require {
    const file = from.startsWith('file:') ? fileURLToPath(from) : from
    return isHashed(file, this.#options) ? this.#requireOf(this.#holder(file)) : Module.createRequire(from)
  }

  /** @throws Failure `bad_config` for a file that the digest does not cover */
  #resolve(id: string, parent: string, kind: 'import' | 'require'): LoadedModule {
    return this.#known(this.#find(id, parent, kind), { id, parent })
  }

  /** The path that a name means. @throws Error `MODULE_NOT_FOUND` */
  #find(id: string, parent: string, kind: 'import' | 'require'): string {
    const found = this.#jiti(parent).esmResolve(id, kind === 'import' ? {} : { conditions: ['node', 'require'] })
    return found.startsWith('file:') ? fileURLToPath(found) : found
  }

  #known(found: string, from?: { readonly id: string; readonly parent: string }): LoadedModule {
    const file = path.isAbsolute(found) ? realpathSync(found) : found
    if (!isHashed(file, this.#options)) throw uncovered(file, this.#options.root, from)
    const known = this.#modules.get(file) ?? this.#holder(file)
    this.#modules.set(file, known)
    return known
  }

  #holder(file: string): LoadedModule {
    const module = new Module(file)
    module.filename = file
    const holder: LoadedModule = { file, module, awaits: new Set() }
    module.require = this.#requireOf(holder)
    return holder
  }

  #requireOf(holder: LoadedModule): NodeJS.Require {
    const load: Load = (id) => this.#require(id, holder)
    const resolve = (id: string): string => (isBuiltin(id) ? id : this.#find(id, holder.file, 'require'))
    return Object.assign(load, {
      resolve: Object.assign(resolve, { paths: () => null }),
      cache: {},
      extensions: {},
      main: undefined,
    }) as unknown as NodeJS.Require
  }

  #jiti(file: string): Jiti {
    const known = this.#jitis.get(file) ?? jitiOf(file)
    this.#jitis.set(file, known)
    return known
  }

  /** With `isAsync`, its imports and its top level may wait; else it throws what is not there at once. */
  #evaluate(target: LoadedModule, isAsync: boolean): Promise<unknown> {
    const { file, module } = target
    this.#options.onFile?.()
    const source = this.#read(file)
    const kind = sourceKind(file)
    if (kind === 'json') module.exports = JSON.parse(source) as unknown
    else if (kind === 'native') module.exports = Module.createRequire(file)(file) as unknown
    else {
      const isEsm = needsCompiling(file, source)
      const code = isEsm ? this.#compile({ filename: file, source, async: isAsync }) : source.replace(/^#!/, '//')
      const result = this.#run(target, code, isEsm && isAsync)
      if (isAsync)
        return Promise.resolve(result).then(() => {
          module.loaded = true
        })
    }
    module.loaded = true
    return Promise.resolve()
  }

  /** @throws Failure `bad_config` if the content is not that of the digest */
  #read(file: string): string {
    const { root, files } = this.#options
    const bytes = readFileSync(file)
    const name = path.relative(root, file).split(path.sep).join('/')
    if (files !== undefined && files.get(name) !== createHash('sha256').update(bytes).digest('base64')) {
      const message = `${file} was changed after the digest of its extension was taken; open the session again`
      throw new Failure('bad_config', message, { data: { path: file } })
    }
    return bytes.toString('utf8').replace(/^\uFEFF/, '')
  }

  #compile(text: SourceText): string {
    const { codes, compile } = this.#options
    if (codes === undefined) return compile(text)
    const key = codeKey(text)
    const code = codes.get(key) ?? compile(text)
    codes.set(key, code)
    return code
  }

  #run(target: LoadedModule, code: string, isAsync: boolean): unknown {
    const { file, module } = target
    const head = `(${isAsync ? 'async ' : ''}function (exports, require, module, __filename, __dirname, jitiImport, jitiESMResolve) { `
    const body = runInThisContext(`${head}${code}\n})`, { filename: file }) as (...parts: readonly unknown[]) => unknown
    const importFrom = (id: string): Promise<unknown> => this.#importFrom(id, target)
    const resolve = (id: string): string => (isBuiltin(id) ? id : this.#jiti(file).esmResolve(id))
    const parts = [module.exports, module.require, module, file, path.dirname(file), importFrom, resolve]
    const result = body.apply(module.exports, parts)
    throwParseError(module.exports)
    return result
  }
}

/** A file that does not parse is compiled to a module that describes the fault. */
function throwParseError(exports: unknown): void {
  const fault = (exports as { readonly __JITI_ERROR__?: Readonly<Record<string, unknown>> }).__JITI_ERROR__
  if (fault === undefined) return
  const { filename, line, column, message } = fault
  throw new SyntaxError(`${String(message)} (${String(filename)}:${String(line)}:${String(column)})`)
}

function waitsFor(target: LoadedModule, parent: LoadedModule, known = new Set<LoadedModule>()): boolean {
  if (target === parent) return true
  if (known.has(target)) return false
  known.add(target)
  return [...target.awaits].some((each) => waitsFor(each, parent, known))
}

function uncovered(file: string, root: string, from?: { readonly id: string; readonly parent: string }): Failure {
  const subject = from === undefined ? file : `${from.parent} imports ${from.id}`
  const hint =
    from?.parent === root
      ? 'an extension of several files is a folder with a package.json or an index.ts'
      : `only files of ${root} are covered by its digest`
  return new Failure('bad_config', `${subject}, which its digest does not cover; ${hint}`, {
    data: { path: file },
  })
}
