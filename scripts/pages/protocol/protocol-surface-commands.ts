// Texts of the protocol page: the commands about surfaces of extensions.
import type { CommandGroup } from './protocol-note.ts'

const session = 'abcdefghij23'
const surface = 'snake:1'

export const surfaceCommandGroups: readonly CommandGroup[] = [
  {
    title: 'Surfaces of extensions',
    commands: {
      surface_resize: {
        does: 'Reports the size of this client in cells. From then on it gets `surface` events of the session, rendered for its own width: the open surfaces at once, then changes, at most 30 a second for each surface. A client that never sends it gets none. It holds until the client detaches, so a client sends it after each `attach`. Refused (`bad_request`) if the client is not attached.',
        errors: ['bad_request'],
        ask: { session, columns: 80, rows: 24 },
        answer: {},
      },
      surface_key: {
        does: 'Hands a key to a surface. `data` is what a terminal sends: `a`, `\\r`, `\\u001b[A`; a paste stands between `\\u001b[200~` and `\\u001b[201~`; at most 65,536 characters. `name`: the key as the client calls it. `taken: false`: the client does with the key what it does without the surface. Of an editor: `text` is its text after the key, `submit` a text that the person sends. A fault of the extension is the failure of the key.',
        errors: ['bad_request', 'not_allowed', 'unknown_surface'],
        ask: { session, surface, data: '\u001b[A', name: 'up' },
        answer: { taken: true },
      },
      surface_close: {
        does: 'Closes a surface for all clients. The extension learns of it, and cannot refuse.',
        errors: ['bad_request', 'not_allowed', 'unknown_surface'],
        ask: { session, surface },
        answer: {},
      },
    },
  },
]
