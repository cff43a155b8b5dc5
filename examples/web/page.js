// A page for the sessions of `rxpi serve --http … --web`: an example of `rxpi/client`.
import { connectGateway } from './rxpi-client.js'
import { drawQuestion } from './questions.js'
import { createTranscript, element } from './transcript.js'

const $ = (id) => document.getElementById(id)
const tokenKey = 'rxpi-token'

let client
let session
let following
let isLive = false // false while earlier events are drawn: they are not read aloud
const waiting = new Map() // inputs that wait for the run

const announce = (text) => {
  if (isLive) $('announcer').textContent = text
}
const transcript = createTranscript($('log'), announce)
const report = (error) => {
  $('alarm').textContent = error.message
  transcript.notice(error.message)
}
/** Sends a command once; with an opId, so that a lost connection neither loses nor repeats it. */
const send = (command, onResult = () => undefined, onError = report) =>
  client.request(command, { opId: crypto.randomUUID() }).subscribe({ next: onResult, error: onError })

// ——— the connection: the token comes in the fragment, which no server sees, and leaves the address at once
function connect(token) {
  let wasConnected = false
  client?.close()
  $('login').hidden = true
  $('app').hidden = false
  const hello = { client: 'web', ui: true, questions: true }
  client = connectGateway({ url: new URL('.', location.href).href, token, hello })
  client.connection$.subscribe(({ status, attempt, failure }) => {
    if (status === 'closed' && failure === undefined) return // by this page
    $('connection').textContent = attempt === undefined ? status : `${status}, attempt ${attempt}`
    if (status === 'connected') {
      wasConnected = true
      sessionStorage.setItem(tokenKey, token)
      listSessions()
    }
    // a browser does not tell a refused token from a server that is away
    if (!wasConnected && failure !== undefined && attempt !== 1) askForToken('no answer, or a wrong token')
  })
  open(new URLSearchParams(location.hash.slice(1)).get('session'))
}

function askForToken(reason) {
  client?.close()
  sessionStorage.removeItem(tokenKey)
  $('app').hidden = true
  $('login').hidden = false
  $('connection').textContent = reason
  $('token').focus()
}

// ——— one session
function open(id) {
  following?.unsubscribe()
  transcript.clear()
  $('questions').replaceChildren()
  waiting.clear()
  isLive = false
  session = id ?? undefined
  setRunning(false)
  $('composer').hidden = session === undefined
  $('title').textContent = session === undefined ? 'No session is open' : 'Session'
  if (session === undefined) return
  history.replaceState(null, '', `#session=${session}`)
  following = client.events$(session, { tail: 500, joinMs: 30 }).subscribe({ next: receive, error: report })
}

function receive(received) {
  if (received.type === 'attached') {
    $('title').textContent = received.header.title ?? received.header.cwd
    for (const question of [...received.requests, ...(received.questions ?? [])]) ask(question)
    for (const { queueId, content } of received.queue) waiting.set(queueId, content)
    send({ type: 'get_state', session }, ({ running }) => setRunning(running !== undefined))
  }
  if (received.type === 'caught_up') isLive = true
  if (received.type !== 'event') return
  transcript.handle(received.event)
  handlers[received.event.type]?.(received.event)
}

const handlers = {
  agent_start: () => setRunning(true),
  agent_settled: () => {
    setRunning(false)
    if (isLive) listSessions()
  },
  queue_update: ({ op, queueId, content }) => {
    if (op === 'add' || op === 'edit') waiting.set(queueId, content)
    else if (op === 'clear') waiting.clear()
    else waiting.delete(queueId)
    setRunning(!$('stop').hidden)
  },
  ui_request: (event) => event.kind !== 'notify' && ask(event),
  question: (event) => ask(event),
  ui_resolved: ({ requestId }) => $(`q-${requestId}`)?.remove(),
  question_resolved: ({ requestId }) => $(`q-${requestId}`)?.remove(),
}

function setRunning(running) {
  const inputs = waiting.size === 0 ? '' : ` ${waiting.size} ${waiting.size === 1 ? 'message waits' : 'messages wait'}.`
  $('run').textContent = `${running ? 'A run is on.' : 'Idle.'}${inputs}`
  $('send').textContent = running ? 'Steer' : 'Send'
  for (const id of ['later', 'stop']) $(id).hidden = !running
}

function submit(whileRunning) {
  const text = $('text').value.trim()
  if (text === '' || session === undefined) return
  $('text').value = ''
  send(
    { type: 'prompt', session, text, whileRunning },
    ({ status }) => status === 'queued' && announce('The message waits.'),
    (error) => {
      $('text').value = text
      report(error)
    },
  )
}

// ——— questions: an answer of another client removes one
function ask(event) {
  const { requestId, text } = event
  if ($(`q-${requestId}`) !== null) return
  const answer = (outcome, more) => send({ type: 'ui_response', session, requestId, outcome, ...more })
  $('questions').append(drawQuestion(event, (...outcome) => [answer(...outcome), $('text').focus()]))
  $('alarm').textContent = `rxpi asks: ${text}`
}

// ——— the list of sessions
function listSessions() {
  client.request({ type: 'list_sessions', all: true, limit: 50 }).subscribe({
    next: ({ sessions }) => {
      if ($('cwd').value === '') $('cwd').value = sessions[0]?.cwd ?? ''
      $('list').replaceChildren(...sessions.map(drawSession))
    },
    error: (error) => error.code !== 'disconnected' && report(error), // the next connection lists them
  })
}

function drawSession({ id, title, firstWords, cwd = '', live }) {
  const state = live?.asking > 0 ? ' (asks)' : live?.running ? ' (runs)' : ''
  const name = `${title ?? firstWords ?? 'empty'} — ${cwd.split('/').at(-1)}${state}`
  const button = element('button', { type: 'button' }, name)
  if (id === session) button.ariaCurrent = 'page'
  button.addEventListener('click', () => {
    open(id)
    listSessions()
    showMenu(false)
    $('title').focus()
  })
  return element('li', {}, button)
}

function showMenu(isOpen) {
  $('sessions').classList.toggle('open', isOpen)
  $('menu').ariaExpanded = String(isOpen)
}

// ——— what a person does
const onSubmit = (form, act) =>
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    act()
  })
onSubmit($('login').querySelector('form'), () => connect($('token').value.trim()))
onSubmit($('composer'), () => submit('steer'))
onSubmit($('new'), () => {
  const model = $('model').value.trim()
  const command = {
    type: 'new_session',
    cwd: $('cwd').value.trim(),
    approve: $('approve').value,
    ...(model === '' ? { offerDemo: true } : { model }),
  }
  send(command, ({ session: id, notices }) => {
    open(id)
    for (const { message } of notices) transcript.notice(message)
    listSessions()
    showMenu(false)
    $('text').focus()
  })
})
$('later').addEventListener('click', () => submit('follow_up'))
$('stop').addEventListener('click', () => send({ type: 'abort', session }))
$('menu').addEventListener('click', () => showMenu($('menu').ariaExpanded !== 'true'))
$('text').addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
  event.preventDefault()
  submit('steer')
})

/** Reads the fragment: `#token=…` connects, `#session=…` opens a session. */
function start() {
  const fragment = new URLSearchParams(location.hash.slice(1))
  const passed = fragment.get('token')
  fragment.delete('token')
  history.replaceState(null, '', fragment.size === 0 ? location.pathname : `#${fragment}`)
  const token = passed ?? sessionStorage.getItem(tokenKey)
  if (token === null) askForToken('not connected')
  else if (passed !== null || client === undefined) connect(token)
  else open(fragment.get('session'))
}
addEventListener('hashchange', start)
start()
