// A gate opens once and stays open, also for later waiters.

export interface Gates {
  wait(name: string): Promise<void>
  open(name: string): void
}

export function gates(): Gates {
  const all = new Map<string, Gate>()
  const gate = (name: string): Gate => {
    const known = all.get(name) ?? newGate()
    all.set(name, known)
    return known
  }
  return {
    wait: (name) => gate(name).promise,
    open: (name) => gate(name).resolve(),
  }
}

interface Gate {
  readonly promise: Promise<void>
  resolve(): void
}

function newGate(): Gate {
  return Promise.withResolvers()
}
