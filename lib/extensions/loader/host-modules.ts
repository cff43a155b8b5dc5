// Gives extensions the modules of this process and of Node, in the form that compiled imports expect.
import Module from 'node:module'

const namespaces = new WeakMap<object, unknown>()

/**
 * A module as imports see it: with its named exports, and with itself as `default` if it has none. The same object for the
 * same module; every access reads the module.
 */
export function namespaceOf(module: unknown): unknown {
  if ((typeof module !== 'object' && typeof module !== 'function') || module === null) return module
  if ('__esModule' in module) return module // compiled: it says itself what its default is
  const known = namespaces.get(module)
  if (known !== undefined) return known
  const namespace = new Proxy(module, {
    get: (target, name) => {
      if (name === '__esModule') return true
      const value: unknown = Reflect.get(target, name)
      return name === 'default' ? (value ?? target) : value
    },
  })
  namespaces.set(module, namespace)
  return namespace
}

/** As `require` returns it. @param requireFor `createRequire`, whose result loads modules as the extension's own `require` does */
export function builtinModule(id: string, requireFor: (from: string) => NodeJS.Require): unknown {
  const module: unknown = process.getBuiltinModule(id)
  if (module !== Module) return module
  const createRequire = (from: string | URL): NodeJS.Require => requireFor(String(from))
  return Object.assign(Object.create(Module) as object, { createRequire })
}
