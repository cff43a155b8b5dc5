// The last value of an Observable as a promise; it rejects if there is none.
import type { Observable } from 'rxjs'

export function resultOf<Value>(source$: Observable<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    let last: { readonly value: Value } | undefined
    source$.subscribe({
      next: (value) => {
        last = { value }
      },
      error: reject,
      complete: () => {
        if (last === undefined) reject(new Error('it completed without a value'))
        else resolve(last.value)
      },
    })
  })
}
