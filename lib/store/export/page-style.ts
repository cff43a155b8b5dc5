// The one style sheet of a page; its hash stands in the page's policy, so nothing else can style it.

export const pageStyle = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --dim: #777; --accent: #2864c7; --bad: #c0392b;
  --word: #a626a4; --text: #3b7d23; --number: #986801; --name: #2864c7 }
@media (prefers-color-scheme: dark) { :root { --dim: #999; --accent: #7fb0ff; --bad: #ff7b6b; --word: #d38aea; --text: #98c379;
  --number: #d19a66; --name: #7fb0ff } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 60rem; padding: 1rem; font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
header { border-bottom: 1px solid var(--line); margin-bottom: 1rem }
h1 { font-size: 1.4rem; margin: 0 }
a { color: var(--accent) }
article { margin: 1rem 0; padding: .5rem 1rem; border-left: 3px solid var(--line) }
article.user { border-color: var(--accent); background: var(--soft) }
article > h2 { font-size: .8rem; margin: 0 0 .5rem; color: var(--dim); font-weight: 600 }
article > h2 a { color: inherit; text-decoration: none }
.meta, .change, .label, .none { color: var(--dim); font-size: .85rem }
.label { border: 1px solid var(--line); border-radius: 1rem; padding: 0 .5rem }
.said { white-space: pre-wrap }
details { margin: .5rem 0; border: 1px solid var(--line); border-radius: .3rem; padding: .2rem .6rem }
summary { cursor: pointer; font-family: ui-monospace, monospace; font-size: .85rem; white-space: nowrap; overflow: hidden;
  text-overflow: ellipsis }
.failed > summary, .end { color: var(--bad) }
.thinking { color: var(--dim) }
pre { overflow-x: auto; background: var(--soft); padding: .6rem; border-radius: .3rem; font-size: .85rem; white-space: pre-wrap }
code { font-family: ui-monospace, monospace; font-size: .9em }
img { max-width: 100% }
table { border-collapse: collapse }
th, td { border: 1px solid var(--line); padding: .2rem .5rem }
.right { text-align: right }
.center { text-align: center }
.hljs-keyword, .hljs-built_in, .hljs-literal, .hljs-selector-tag, .hljs-doctag { color: var(--word) }
.hljs-string, .hljs-regexp, .hljs-addition, .hljs-attribute { color: var(--text) }
.hljs-number, .hljs-symbol, .hljs-bullet, .hljs-variable, .hljs-template-variable { color: var(--number) }
.hljs-title, .hljs-section, .hljs-name, .hljs-attr, .hljs-type, .hljs-meta { color: var(--name) }
.hljs-comment, .hljs-quote { color: var(--dim); font-style: italic }
.hljs-deletion { color: var(--bad) }
.hljs-emphasis { font-style: italic }
.hljs-strong { font-weight: bold }
`
