// Draws the conversation of a session from its events. Texts of models, tools and people are set as text, never as HTML.

/** Blocks on the page; older ones are removed, the log of the session has them. */
const most = 500
/** Characters of a running tool's output; the older ones are removed. */
const outputLimit = 20_000

/** An element with these properties and children; a text child becomes a text node. */
export function element(name, properties = {}, ...children) {
  const node = Object.assign(document.createElement(name), properties)
  node.append(...children)
  return node
}

/** A block of text that scrolls, also by the keyboard. */
function drawBlock(ariaLabel, ...children) {
  return element('pre', { tabIndex: 0, role: 'region', ariaLabel }, ...children)
}

/** A unified diff, its lines marked for eyes and for screen readers. */
export function drawDiff(diff) {
  const lines = diff.split('\n').map((line) => {
    const name = /^(\+\+\+|---)/.test(line) ? 'span' : ({ '+': 'ins', '-': 'del' }[line[0]] ?? 'span')
    return element(name, {}, `${line}\n`)
  })
  return drawBlock('Changes', ...lines)
}

/** The arguments of a call: a command as it is, everything else as JSON. */
export function drawArguments(args) {
  return drawBlock('Arguments', typeof args?.command === 'string' ? args.command : JSON.stringify(args, undefined, 2))
}

/** Code, headings and strong words of Markdown as elements; all else, such as a list, stays as it is written. */
const drawMarkdown = (text) =>
  text
    .split(/^ *```.*\n([^]*?)^ *```.*\n?/m)
    .flatMap((part, at) => (at % 2 === 1 ? [drawBlock('Code', part)] : drawInline(part)))
const drawInline = (text) =>
  text.split(/(`[^`\n]+`|\*\*[^*\n]+\*\*|^#+ .+)/m).map((part, at) => {
    if (at % 2 === 0) return part
    return element(part.startsWith('`') ? 'code' : 'strong', {}, part.replace(/^(`|\*\*|#+ )|(`|\*\*)$/g, ''))
  })
export function textOf(content) {
  if (typeof content === 'string') return content
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n')
}

/** @param announce reads a text to people who do not see the page */
export function createTranscript(root, announce) {
  const messages = new Map() // open messages: entryId → article and its blocks
  const calls = new Map() // calls that have not ended: toolCallId → parts of the page

  function add(node) {
    root.append(node)
    while (root.children.length > most) root.firstElementChild.remove()
    return node
  }
  const addArticle = (who) => add(element('article', {}, element('h3', {}, who)))
  function notice(text) {
    add(element('article', {}, element('p', {}, text)))
    announce(text)
  }
  function openMessage(entryId) {
    let message = messages.get(entryId)
    if (message === undefined) {
      message = { article: addArticle('rxpi'), blocks: new Map() }
      message.article.ariaBusy = 'true'
      messages.set(entryId, message)
    }
    return message
  }
  /** The text node of a block, which is created at its first piece. */
  function openBlock({ article, blocks }, index, kind) {
    let block = blocks.get(index)
    if (block === undefined) {
      block = document.createTextNode('')
      blocks.set(index, block)
      const text = element('div', { className: 'text' }, block)
      article.append(kind === 'thinking' ? element('details', {}, element('summary', {}, 'Thinking'), text) : text)
    }
    return block
  }
  function openCall(id, name, article) {
    let call = calls.get(id)
    if (call === undefined) {
      const summary = element('summary', {}, `${name}: `)
      const state = element('span', {}, 'waits')
      summary.append(state)
      const details = element('details', {}, summary)
      call = { name, details, state, output: undefined, hasArguments: false }
      calls.set(id, call)
      ;(article ?? addArticle('rxpi')).append(details)
    }
    return call
  }
  function showArguments(call, args) {
    if (call.hasArguments || args === undefined) return
    call.hasArguments = true
    call.details.append(drawArguments(args))
    const subject = args.command ?? args.path ?? ''
    if (typeof subject === 'string' && subject !== '') call.state.before(`${subject.split('\n')[0].slice(0, 80)} — `)
  }

  function update({ entryId, delta }) {
    const message = openMessage(entryId)
    if (delta.type === 'text_delta') openBlock(message, delta.contentIndex, 'text').appendData(delta.text)
    if (delta.type === 'thinking_delta') openBlock(message, delta.contentIndex, 'thinking').appendData(delta.text)
    if (delta.type === 'toolcall_start') openCall(delta.id, delta.name, message.article)
  }
  function finish(entryId, { content }) {
    const message = openMessage(entryId)
    content.forEach((block, index) => {
      if (block.type === 'text')
        openBlock(message, index, 'text').parentElement.replaceChildren(...drawMarkdown(block.text))
      if (block.type === 'thinking') openBlock(message, index, 'thinking').data = block.thinking
      if (block.type === 'toolCall') showArguments(openCall(block.id, block.name, message.article), block.arguments)
    })
    message.article.ariaBusy = 'false'
    messages.delete(entryId)
    const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(' ')
    if (text !== '') announce(text.slice(0, 400))
  }
  function endMessage({ entryId, message }) {
    if (message.role === 'assistant') finish(entryId, message)
    if (message.role === 'user')
      addArticle('You').append(element('div', { className: 'text' }, textOf(message.content)))
    if (message.role === 'bashExecution')
      addArticle('Your command').append(drawArguments(message), element('pre', {}, message.output))
  }
  function output({ toolCallId, content }) {
    const call = calls.get(toolCallId)
    if (call === undefined) return
    if (call.output === undefined) {
      call.output = document.createTextNode('')
      call.pre = drawBlock('Output', call.output)
      call.details.append(call.pre)
    }
    call.output.data = (call.output.data + content).slice(-outputLimit)
  }
  function endCall({ toolCallId, toolName, isError, content, details }) {
    const call = openCall(toolCallId, toolName)
    call.state.textContent = isError ? 'failed' : 'done'
    call.pre?.remove()
    const text = textOf(content)
    if (typeof details?.diff === 'string') call.details.append(drawDiff(details.diff))
    else if (text !== '') call.details.append(drawBlock('Result', text))
    call.details.open = details?.diff !== undefined
    calls.delete(toolCallId)
  }

  const handlers = {
    message_start: ({ entryId, message }) => message.role === 'assistant' && openMessage(entryId),
    message_update: update,
    message_end: endMessage,
    tool_execution_start: ({ toolCallId, toolName, args }) => {
      const call = openCall(toolCallId, toolName)
      call.state.textContent = 'runs'
      showArguments(call, args)
    },
    tool_execution_update: output,
    tool_execution_end: endCall,
    compaction: () => notice('The conversation so far was summarised.'),
    head_moved: () => notice('The conversation goes on from an earlier message.'),
    auto_retry: ({ kind }) => notice(`The request failed (${kind}) and is repeated.`),
    warning: ({ message }) => notice(message),
    error: ({ message }) => notice(message),
    status: ({ message }) => notice(message),
    agent_end: ({ terminationReason, error }) =>
      terminationReason !== 'completed' && notice(`The run ended: ${error?.message ?? terminationReason}`),
  }
  return {
    notice,
    handle: (event) => {
      const isAtEnd = root.scrollHeight - root.scrollTop - root.clientHeight < 80
      handlers[event.type]?.(event)
      if (isAtEnd) root.scrollTop = root.scrollHeight
    },
    clear: () => {
      root.replaceChildren()
      messages.clear()
      calls.clear()
    },
  }
}
