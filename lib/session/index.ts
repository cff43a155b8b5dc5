// What the session's room gives to the server's entry.
export { createSessionHost } from './create-session-host.ts'
export { proxySetup } from './proxy-setup.ts'
