// A key press independent of the terminal: a named key, typed characters, or a paste.

/**
 * `key`: modifiers in the order ctrl, alt, shift, super, then the name, joined with `+`: `ctrl+g`, `alt+enter`, `up`.
 * `text`: one or more printable characters. `paste`: any text with its original line ends.
 */
export type KeyPress =
  | { readonly kind: 'key'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string }
