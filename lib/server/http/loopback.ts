// Recognises hosts that only this machine reaches.

/** Names under which a listener of loopback is reached, as in URLs and in `Host`. */
export const loopbackNames = ['127.0.0.1', 'localhost', '[::1]']

/** Whether a listener at this name or address is out of the reach of other machines. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}
