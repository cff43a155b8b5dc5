// Refuses connections of this process to anything but loopback, and look-ups of names.
import dns from 'node:dns'
import net from 'node:net'

const isLoopback = (host) => host === undefined || ['127.0.0.1', '::1', 'localhost'].includes(host)

const connect = net.Socket.prototype.connect
net.Socket.prototype.connect = function connectToLoopback(...args) {
  const [first] = args
  const options = Array.isArray(first) ? first[0] : first
  const host = typeof options === 'object' && options !== null ? options.host : args[1]
  if (typeof host === 'string' && !isLoopback(host)) {
    process.nextTick(() =>
      this.destroy(Object.assign(new Error(`connect ENETUNREACH ${host}`), { code: 'ENETUNREACH' })),
    )
    return this
  }
  return connect.apply(this, args)
}

const lookup = dns.lookup
dns.lookup = (host, ...rest) => {
  if (isLoopback(host)) return lookup(host, ...rest)
  const callback = rest.at(-1)
  process.nextTick(() => callback(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' })))
  return {}
}
