// What came from the keyboard, free of how terminals write it: a key with a name, characters that were typed, or a paste.

/**
 * `key`: its modifiers in the order ctrl, alt, shift, super, then its name, joined with `+`: `ctrl+g`, `alt+enter`, `up`.
 * `text`: printable characters, one or more. `paste`: whatever was pasted, its line ends as they came.
 */
export type KeyPress =
  | { readonly kind: 'key'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string }
